"""Transparency log, vote gate, decisions, and verification of a published arena; needs nothing of the arena itself."""
