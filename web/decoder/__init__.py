"""The decoder's pages: *Is it real?* takes a photo of a note and shows a verdict.

Another page keeps the decks of notes to compare with, and learns new ones from photos.
"""
