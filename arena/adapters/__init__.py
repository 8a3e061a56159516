"""Adapters to the outside world: database, files, sign-in, rate limits, images, metrics and traces."""
