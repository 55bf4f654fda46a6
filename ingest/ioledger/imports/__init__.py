"""
Excerpts: the figures that the readers derive from results of other people, whose files stay where they were published.

A mapping says which folder of the originals is which configuration; what follows from it and from the originals is
written byte for byte, so that it can be made again and compared.
"""
