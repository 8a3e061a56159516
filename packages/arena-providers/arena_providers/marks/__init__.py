"""Marks in an answer that are not the answer: tags of reasoning, control tokens, tool calls (decision 0047)."""
