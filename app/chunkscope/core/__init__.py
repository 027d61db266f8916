"""Everything Chunkscope does, without a window and without printing."""
