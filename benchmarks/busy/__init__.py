"""Benchmark of a busy arena: votes at a steady rate while the worker works."""
