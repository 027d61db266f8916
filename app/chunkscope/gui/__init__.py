"""The window: the only place that knows the toolkit."""
