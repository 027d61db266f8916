"""Chat logs: text forms and JSON exports."""
