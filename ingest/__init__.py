"""Storage benchmark results you can trace to the file they came from."""

__version__ = "0.1.0"
