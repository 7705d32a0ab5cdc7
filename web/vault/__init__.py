"""The vault's own page: a drawing of the vault, kept up to date by the lock.

If the vault is simulated, its wheel, buttons and lid can be moved on the page.
"""
