"""Web pages as a reader sees them."""
