"""The vault's circuit: its nets, its figures, and the program that draws them."""
