"""How fast the rating library is, measured beside others on the same machine in the same run."""
