"""All tables. Races are decided by constraints, not by checks in code; rows of the vote log never change."""
