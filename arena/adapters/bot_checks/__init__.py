"""Bot checks, which make votes in bulk costly without accounts and without other hosts."""
