"""Compiled loops of the rating library; private."""
