"""Evaluations: questions answered by models and judged by people under a protocol; judgements are never votes."""
