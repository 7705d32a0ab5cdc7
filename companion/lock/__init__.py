"""The Secret Vault's lock: reads the inputs, decides by a state table, moves the bolt.

It knows neither games nor pins.
"""
