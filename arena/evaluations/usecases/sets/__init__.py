"""Sets of questions: read from files of several formats, stored as immutable versions, and exported."""
