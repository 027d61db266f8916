"""From bytes to canonical text, and from text to spans and counts."""
