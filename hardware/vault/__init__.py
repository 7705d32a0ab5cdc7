"""The vault: its pins, coil, contacts and lights, and a twin of it in memory."""
