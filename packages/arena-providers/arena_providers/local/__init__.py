"""A small language model that runs on this machine."""
