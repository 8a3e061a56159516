"""Durable state: tables, one engine, and one file of queries per noun. Queries take a session and never commit."""
