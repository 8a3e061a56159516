"""Sets of questions: read from files of several sources, kept as versions that never change, and given out again."""
