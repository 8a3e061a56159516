"""The calculator: arithmetic, units, dates, prices and counting, each in a file of its own."""
