"""The Secret Vault's lock: what it feels, the table it works by, and its keeper.

It knows neither games nor pins.
"""
