"""Comparison of pairing rules in simulated arenas."""
