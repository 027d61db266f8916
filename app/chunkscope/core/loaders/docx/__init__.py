"""Word documents, read part by part within bounds."""
