"""Streaming of chat answers from untrusted endpoints: one file per wire dialect over a guarded transport."""
