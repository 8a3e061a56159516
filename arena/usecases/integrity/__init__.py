"""Vote gate on files, without a database."""
