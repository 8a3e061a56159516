"""Processor time of every route on the event loop, and what a flood of requests does to a visitor."""
