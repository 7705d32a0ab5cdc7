"""The cameras: the Pi's, a webcam, a folder of pictures, and a simulated one."""
