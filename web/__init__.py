"""The panel: web pages for phones and the table's screen, JSON, and the live stream.

``web.app.create_app`` builds it from one folder for each thing that a person opens
(play, seats, vault, decoder, boxes); ``web/http`` holds what all of them share.
"""
