"""How phones reach the table: its address, its name, and its own Wi-Fi."""
