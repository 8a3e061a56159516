"""Compiled loops of the bootstrap and of fragility."""
