"""One provider per wire dialect of chat APIs."""
