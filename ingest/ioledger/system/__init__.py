"""What the operating system does to a command: signals, full disks, other programs, files half-written."""
