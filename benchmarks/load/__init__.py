"""Load on the arena: battles, votes and reads over HTTP, each driver in a separate process."""
