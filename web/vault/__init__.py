"""The vault's own page: a drawn vault whose wheel, buttons and lid can be moved."""
