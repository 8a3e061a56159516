"""Documents of pages that models have made: addresses, confinement, and the script that runs before theirs."""
