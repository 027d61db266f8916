"""A monkey at the real window: random actions of a user, the same ones for the same seed."""
