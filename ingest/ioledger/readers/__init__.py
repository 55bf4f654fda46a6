"""Readers: one module or package per tool, found by itself (see :mod:`ioledger.readers.detect`)."""
