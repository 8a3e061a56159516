"""Simulated arenas in which rules of drawing pairs are compared."""
