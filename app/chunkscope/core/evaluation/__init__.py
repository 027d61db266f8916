"""Which cut retrieves best: questions with labelled passages, measures on spans, honest sweeps."""
