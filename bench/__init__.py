"""Measurements of speed, and of the error rates of the gate; ``bench/README.md`` lists the commands."""
