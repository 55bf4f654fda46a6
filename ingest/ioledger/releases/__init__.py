"""A release: what a commit's tables are known by, the folder in which they are handed out, and how both are checked."""
