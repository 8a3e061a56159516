"""How much one process of the arena holds: battles, votes and reads over HTTP, each driver in a process of its own."""
