"""The workspace's database: the one authority; full text and vector files are derived from it."""
