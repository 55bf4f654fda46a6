"""A pull request judged from outside: by the code of the base branch, and from git's objects, never from a checkout."""
