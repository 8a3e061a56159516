"""Load on one process of the arena: battles, votes and reads over HTTP, each driver in a process of its own."""
