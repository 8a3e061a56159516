"""Durable state: tables, engines, and one file of queries per noun. Queries take a session and never commit."""
