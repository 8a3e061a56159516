"""Adapters to the outside world: model endpoints, the database, rate limits, metrics and traces."""
