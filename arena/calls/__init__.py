"""Calls of registered endpoints: target with key, cost in tokens, and reception of the answer."""
