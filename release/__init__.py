"""Releases: locks, licences, and the programs behind ``make release``."""
