"""HTTP for the providers: client, sockets, egress policy, stream parsers and redaction."""
