"""From a document to chunks: analysis once, cutting many times."""
