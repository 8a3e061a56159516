"""Rankings: from the vote log to stored, reproducible snapshots, and their verification."""
