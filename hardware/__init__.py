"""Everything that touches devices, files of photos, the clock and the network.

The vault on real GPIO pins and its simulated twin, the cameras, and reading photos of
notes. It implements the ports of ``companion``, which never imports it.
"""
