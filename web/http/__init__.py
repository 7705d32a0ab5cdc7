"""What every page stands on: access, errors, limits, language, the live stream."""
