"""Scripts to try the hardware while building it, one device each.

Run them by hand; their first line says how.
"""
