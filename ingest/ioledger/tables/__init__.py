"""Tables: their columns as ``schemas/`` defines them, made from readings and manifests, and written to files."""
