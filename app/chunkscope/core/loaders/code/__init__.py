"""Source code by its syntax tree."""
