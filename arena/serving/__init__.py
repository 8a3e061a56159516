"""The processes of the arena: the command line, the server with its supervisor, and the worker."""
