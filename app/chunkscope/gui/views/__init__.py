"""Widgets that draw: the text with its bands, the strip beside it, plots."""
