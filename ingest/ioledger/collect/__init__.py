"""Provenance read from the machine: what ``ioledger collect`` writes into a manifest."""
