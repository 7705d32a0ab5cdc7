"""The panel: pages for phones and the table screen, JSON, and the live stream.

``web.app.create_app`` puts it together from one folder for each thing a person opens.
"""
