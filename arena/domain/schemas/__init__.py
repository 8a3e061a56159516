"""The messages of the HTTP API: requests, views and events, one file per noun. Unknown fields are rejected."""
