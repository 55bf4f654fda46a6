"""What the performance goals are measured with; ``npm run bench`` prints the table."""
