"""Benchmarks of the transparency log: sequencing, proofs, and the verification of a complete arena."""
