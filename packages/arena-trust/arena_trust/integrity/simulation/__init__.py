"""Attack simulator: honest voters, attackers, and what the vote gate leaves of an attack."""
