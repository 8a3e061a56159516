"""Benchmarks: the rating library and its peers, load on a complete arena, blindness, and pages."""
