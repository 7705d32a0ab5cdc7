"""The desk that reads photos: verdicts, decks and lessons; it knows no device."""
