"""A folder below ``data/``: its manifest, its files, and everything that is wrong with them."""
