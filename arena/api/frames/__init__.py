"""Documents of pages that models have made: their addresses, their confinement, and what is put before them."""
