"""The wiring figure and the pen that draws it."""
