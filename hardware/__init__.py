"""What touches the world: the vault on real pins, and its simulated twin."""
