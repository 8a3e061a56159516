"""Blinding of battles: a common pace of both answers, and detection of answers that disclose their model."""
