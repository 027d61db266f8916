"""Retrieval: two channels, fusion, reranking, stitching, and the context a model would get."""
