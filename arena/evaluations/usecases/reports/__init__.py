"""Reports of evaluations."""
