"""Run heavy work in a background thread, and report why if it fails."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.errors import CompanionError, Malformed
from companion.words import Words, say

log = logging.getLogger(__name__)

OUR_MISTAKE = say("this failed by our mistake"), say("take other photos")
"""The words for an error in the program: what is wrong, what to do."""


def in_background(
    name: str, work: Callable[[], object], refuse: Callable[[str, str], object]
) -> None:
    """Start *work* in a daemon thread.

    Args:
        name: The name of the thread, and the beginning of its lines in the log.
        work: The work to do.
        refuse: Called if *work* raises, with what is wrong and what to do about it.
    """

    def run() -> None:
        try:
            work()
        except CompanionError as error:
            problem = error.plain if isinstance(error, Malformed) else error.message
            if not isinstance(problem, Words):  # English, for programmers only.
                log.warning("%s_failed error=%s", name, error)
                refuse(*OUR_MISTAKE)
                return
            refuse(problem, error.remedy)
        except MemoryError:
            log.exception("%s_out_of_memory", name)
            refuse(say("the photos do not fit into memory"), say("take fewer"))
        except Exception:
            log.exception("%s_failed", name)
            refuse(*OUR_MISTAKE)

    threading.Thread(target=run, name=name, daemon=True).start()
