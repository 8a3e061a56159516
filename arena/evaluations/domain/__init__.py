"""Pure rules of evaluations."""
