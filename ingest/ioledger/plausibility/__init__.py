"""What a file contradicts in itself: one place for every tool."""
