"""Tables and lists as Qt models over frozen values."""
