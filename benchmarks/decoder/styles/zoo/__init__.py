"""Decks drawn at random, so that nothing is tuned to a few drawings."""

from __future__ import annotations

from benchmarks.decoder.styles.zoo.deck import Family, ZooStyle, zoo_style

__all__ = ["Family", "ZooStyle", "zoo_style"]
