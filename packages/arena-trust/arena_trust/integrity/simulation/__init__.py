"""Attack simulator: honest voters, attackers, and the effect of an attack behind the vote gate."""
