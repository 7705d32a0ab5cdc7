"""*Is it real?*: a photo of a note in, a verdict out; and the decks it is read with."""
