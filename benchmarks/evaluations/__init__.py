"""Benchmarks of evaluations by people: a report over many annotations, and many annotators at once."""
