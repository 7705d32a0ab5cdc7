"""Heavy work in a thread of its own, whose failures are always said."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.errors import CompanionError, Malformed
from companion.words import Words, say

log = logging.getLogger(__name__)

OUR_MISTAKE = say("this failed by our mistake"), say("take other photos")


def in_background(
    name: str, work: Callable[[], object], refuse: Callable[[str, str], object]
) -> None:
    """Begin *work* in a thread that does not keep the program from ending.

    Args:
        name: Of the thread, and of the lines in the log.
        work: What to do.
        refuse: Called instead of raising, with what is wrong and what to do about it:
            else a page would wait for ever.
    """

    def tried() -> None:
        try:
            work()
        except CompanionError as error:
            what = error.plain if isinstance(error, Malformed) else error.message
            if not isinstance(what, Words):  # It is for makers, and in English.
                log.warning("%s_failed error=%s", name, error)
                refuse(*OUR_MISTAKE)
                return
            refuse(what, error.remedy)
        except MemoryError:
            log.exception("%s_out_of_memory", name)
            refuse(say("the photos do not fit into memory"), say("take fewer"))
        except Exception:  # Else a page would wait for ever.
            log.exception("%s_failed", name)
            refuse(*OUR_MISTAKE)

    threading.Thread(target=tried, name=name, daemon=True).start()
