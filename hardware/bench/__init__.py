"""Scripts for a person with a screwdriver; each tries one thing."""
