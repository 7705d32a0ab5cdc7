"""Decks drawn at random, so that nothing is tuned to a few drawings."""

from __future__ import annotations

from benchmarks.decoder.styles.zoo.deck import ZooStyle, zoo_style

__all__ = ["ZooStyle", "zoo_style"]
