"""Transparency log, vote gate, decisions, and verification of a published arena; it does not import the arena."""
