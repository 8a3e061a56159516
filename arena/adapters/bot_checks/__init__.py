"""Bot checks: verifiers that make votes in bulk costly, without accounts and without another host."""
