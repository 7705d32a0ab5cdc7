"""Scripts for trying the hardware while building it; each tries one device.

Run them by hand, as their first line says.
"""
