"""Evaluations: questions answered by models and judged by people under a protocol; what they say is never a vote."""
