"""Game scripts: rulebook sentences as short lines that the program can play and check.

The words are a public format. ``run_script(text, name)`` plays a script and returns
whether every line held; ``export_script(entries)`` writes a recorded game as a script.
"""

from companion.script.export import export_script
from companion.script.run import Outcome, run_script

__all__ = ["Outcome", "export_script", "run_script"]
