"""All tables. Constraints, not checks in code, prevent races; rows of the vote log never change."""
