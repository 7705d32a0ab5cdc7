"""What every page of the panel needs, whatever it shows.

Here are access control, errors, rate limits, language, form fields, static files,
the live stream, and the HTTP server itself.
"""
