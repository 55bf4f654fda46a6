"""A file or a folder of files as one measurement: found, loaded, read, and turned into tables."""
