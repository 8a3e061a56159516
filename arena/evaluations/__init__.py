"""Evaluations: sets of questions answered by models, and judged by people and by models under a protocol.

Only `arena.serving` imports it; judgements are never votes.
"""
