"""Files with finished answers: own rows, tables with a column for each model, benchmarks, and logs of other tools."""
