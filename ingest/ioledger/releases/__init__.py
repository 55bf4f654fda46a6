"""Digests of tables, the folder of a release and its verification, and the rows that two builds differ in."""
