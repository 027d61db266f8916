"""The tuning page: questions, the sweep, what it found."""
