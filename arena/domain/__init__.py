"""Pure rules of the arena: no I/O, no clock, no global random numbers."""
