"""Sheets to print and cut: notes, cards, film grating and the vault's dial.

Needs numpy and reportlab; `import companion` alone needs neither. Functions that end
in ``_pdf`` return the bytes of a PDF.
"""

from __future__ import annotations

from companion.printing.dial import dial_pdf
from companion.printing.film import lens_pdf
from companion.printing.job import Job
from companion.printing.page import Paper
from companion.printing.sheets import cards_pdf, dealt_notes, notes_pdf, shuffled_cards

__all__ = [
    "Job",
    "Paper",
    "cards_pdf",
    "dealt_notes",
    "dial_pdf",
    "lens_pdf",
    "notes_pdf",
    "shuffled_cards",
]
