"""Scripted practice models, which need no key and no network, so that an arena can be tried at once."""
