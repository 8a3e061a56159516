"""Tables of evaluations; they share the metadata of the arena's."""
