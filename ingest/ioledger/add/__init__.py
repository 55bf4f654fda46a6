"""Result files and a manifest become a submission: what ``ioledger add`` does."""
