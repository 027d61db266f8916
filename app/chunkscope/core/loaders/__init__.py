"""From a file to a Document: one module or package for each format."""
