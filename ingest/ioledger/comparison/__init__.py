"""What may be compared, how sure a comparison is, and the names and words of both."""
