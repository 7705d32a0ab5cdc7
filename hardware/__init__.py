"""Everything that touches devices, photo files, the clock and the network.

This implements the ports of ``companion``, which never imports it: the vault on GPIO
pins and its simulated twin, the cameras, and the reading of photos.
"""
