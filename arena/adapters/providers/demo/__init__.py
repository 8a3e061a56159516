"""Scripted practice models, which need no key and no network, so that the arena can be tried at once."""
