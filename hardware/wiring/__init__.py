"""The wiring diagram of the vault (``vault.svg``), and the program that draws it."""
