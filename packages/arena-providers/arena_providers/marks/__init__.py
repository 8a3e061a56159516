"""Marks in an answer that are not the answer: reasoning tags, control tokens and tool calls (docs/decisions/0047-marks.md)."""
