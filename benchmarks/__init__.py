"""Benchmarks: the rating library beside its peers, load on a whole arena, blindness, and pages."""
