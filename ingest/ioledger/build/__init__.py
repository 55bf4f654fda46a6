"""The build: from raw files to the database and the site."""
