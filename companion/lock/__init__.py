"""The Secret Vault's lock: it reads inputs, decides by a state table, moves the bolt.

Nothing in here depends on games or pins.
"""
