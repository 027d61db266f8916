"""Texts to vectors: models that come with the program, and any other by its folder."""
