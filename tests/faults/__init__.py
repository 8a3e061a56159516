"""Tests with real processes and servers that fail while votes are cast, and a record of all answers."""
