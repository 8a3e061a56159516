"""Owners and voters."""
