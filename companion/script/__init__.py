"""Game scripts: rulebook sentences that run. The words are a public format.

``run_script(text, name)`` plays one and says whether every line held;
``export_script(entries)`` writes a recorded game as one.
"""

from companion.script.export import export_script
from companion.script.run import Outcome, run_script

__all__ = ["Outcome", "export_script", "run_script"]
