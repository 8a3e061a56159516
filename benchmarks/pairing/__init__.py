"""`uv run benchmarks pairing`: votes that each rule of pairing needs, and what else is asked of a pair table."""
