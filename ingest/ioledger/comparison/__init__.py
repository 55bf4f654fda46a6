"""What may be compared and what the numbers say: statistics, verdicts in words, roles of columns, names of devices."""
