"""The panels of searching: results, their story, the context, what is related."""
