"""The panels around the preview; they know the state, never each other."""
