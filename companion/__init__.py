"""The core of the table companion: bank, rules, editions, vault lock, note decoder.

It knows neither hardware pins nor the web framework: ``hardware`` and ``web`` build
on it, not the other way round.
"""
