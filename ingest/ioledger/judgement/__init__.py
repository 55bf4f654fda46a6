"""
What may be compared, and how direct a comparison is; what the numbers say is in :mod:`ioledger.comparison`.

The SQL models say what is paired with what, and call these functions.
"""
