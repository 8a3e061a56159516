"""Evaluations: sets of questions answered by models, and judged by people and by models under a protocol.

Only `arena.serving` imports it; nothing of it is a vote.
"""
