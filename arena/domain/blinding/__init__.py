"""Blinding of battles: common pacing, and the detection of answers that disclose their model."""
