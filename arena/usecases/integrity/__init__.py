"""The vote gate on the vote log and on files, its audit files, and the retention of origins."""
