"""What the operating system does to a command: signals, full disks, files half-written."""
