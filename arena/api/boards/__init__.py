"""Published leaderboards as HTTP documents, built once per snapshot."""
