"""The calibration strip alone, which the program prints behind its notes."""

from __future__ import annotations

from companion.printing import Job
from companion.printing.film import calibration_page


def strip_pdf(job: Job) -> bytes:
    pages = job.pages("Calibration strip")
    calibration_page(pages, job)
    pages.next_page()
    return pages.pdf()
