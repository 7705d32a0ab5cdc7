"""The vault's keeper: one worker that reads the inputs, decides, writes, then acts.

Pins, pages and timers only put items into the inbox: *edges* (changes of an input
line), and *orders*, which pages give. The worker takes them out. Its *senses*
(``senses.py``) turn edges into presses and turns of the wheel. It hands those to the
*locksmith* (``locksmith.py``), which writes to the journal before the bolt moves. A
*watcher* is a function that is called with each new view of the vault. A restart reads
the lid and leaves the bolt alone.

Tests call ``process``; ``start`` does the same in a thread of its own.
"""

from __future__ import annotations

import logging
import math
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from companion.errors import DeviceFault, Why
from companion.health import Finding
from companion.lock.events import VaultEvent, remember
from companion.lock.locksmith import (
    Gate,
    Locksmith,
    Record,
    ReleaseSettings,
    let_every_guess_count,
)
from companion.lock.quadrature import check_number
from companion.lock.senses import NS_PER_MS, Press, Senses, SenseSettings, first_senses
from companion.lock.states import LID_SHUT_IN, VaultState
from companion.lock.view import Lid, VaultView, vault_findings
from companion.ports import Clock, Edge, Hands, Line, Signal, Timer, VaultDevice
from companion.sheets import LIMIT_RULE
from companion.words import say

log = logging.getLogger(__name__)

DIED = say("its program has stopped, and must be started again")
"""The fault that people read when a bug has ended the worker."""

LOOK_MS = 1000
"""The time between two readings of the levels, in case an edge was lost."""

LOOK_HELD_MS = 100
"""The time between two readings while a button is down.

It is short, because a lost release would hide the next press.
"""

LATE_MS = 3000
"""A worker that is silent for longer hangs, or waits for a bad disk."""

EDGES_MAX = 1024
"""The number of waiting items at which edges are dropped."""

ORDERS_MAX = 32
"""The number of waiting items beyond ``EDGES_MAX`` at which orders are refused."""

STOP_TIMEOUT_S = 5.0
"""The time that ``stop`` waits for the worker to finish writing."""


@dataclass(frozen=True, slots=True)
class KeeperSettings:
    """The settings of a vault: of its bolt and of its inputs."""

    release: ReleaseSettings = field(default_factory=ReleaseSettings)
    senses: SenseSettings = field(default_factory=SenseSettings)


_Order = Callable[[Senses], object]
"""What the worker does when the order's turn has come, given its senses."""


def _stop(_senses: Senses) -> None:
    """End the worker; the last order."""


class Inbox:
    """The queue of the worker; any thread may add to it, which never blocks.

    Edges beyond the limit are dropped and counted: the worker then reads the levels of
    the lines again, which tell more than many old edges. Orders beyond their limit are
    refused. Threads that add at the same moment may slightly exceed a limit.

    Attributes:
        lost_count: The number of edges dropped since the start.
    """

    def __init__(self) -> None:
        # SimpleQueue is written in C: a put takes under a microsecond, and is allowed
        # from a signal handler or in the middle of another put.
        self._queue: queue.SimpleQueue[Edge | _Order | None] = queue.SimpleQueue()
        self.lost_count = 0

    def put_edge(self, edge: Edge) -> None:
        """Add *edge*, or count it as lost."""
        if self._queue.qsize() >= EDGES_MAX:
            self.lost_count += 1
        else:
            self._queue.put(edge)

    def put_order(self, order: _Order) -> None:
        """Add *order*.

        Raises:
            Refused: ``limit_reached``, if too many items are waiting already.
        """
        if self._queue.qsize() >= EDGES_MAX + ORDERS_MAX:
            raise LIMIT_RULE.refuses(
                Why.LIMIT_REACHED,
                say("the vault is busy"),
                say("wait a moment and try again"),
            )
        self._queue.put(order)

    def put_last(self, order: _Order) -> None:
        """Add the final *order*, whatever the limit; nothing is taken after it."""
        self._queue.put(order)

    def wake(self) -> None:
        """Wake the worker, to check what is due by now."""
        self._queue.put(None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is waiting."""
        return self._queue.empty()

    def wait(self) -> Edge | _Order | None:
        """Wait for one item and take it; ``None`` means to check what is due by now."""
        return self._queue.get()

    def waiting(self) -> Iterator[Edge | _Order | None]:
        """Yield the items that are queued now, without any added meanwhile."""
        for _ in range(self._queue.qsize()):
            try:
                yield self._queue.get_nowait()
            except queue.Empty:
                return


class VaultKeeper:
    """Owns the lock, the device and the code; safe to call from any thread.

    Args:
        device: The vault's electronics; ``stop`` closes it.
        record: Writes events before anything moves.
        draw_code: Draws a new code, 1 to 6; must be unguessable.
        remembered: All vault events of earlier runs, oldest first.
        gate: Returns the guess that is due now; called by the worker.
    """

    def __init__(
        self,
        device: VaultDevice,
        clock: Clock,
        record: Record,
        draw_code: Callable[[], int],
        *,
        remembered: Iterable[VaultEvent] = (),
        settings: KeeperSettings | None = None,
        gate: Gate = let_every_guess_count,
    ) -> None:
        settings = settings or KeeperSettings()
        self._device = device
        self._clock = clock
        self._settings = settings
        self._locksmith = Locksmith(
            device,
            clock,
            record,
            draw_code,
            remember(remembered),
            settings.release,
            gate,
        )
        self._inbox = Inbox()
        self._senses: Senses | None = None  # None until the inputs were read.
        self._lost_count = 0
        self._levels_read_at_ns = 0
        self._worked_at_ns = 0
        self._timer: tuple[int, Timer] | None = None
        self._thread: threading.Thread | None = None
        self._is_shut_down = False
        self._watchers: tuple[Callable[[VaultView], None], ...] = ()
        self._watchers_lock = threading.Lock()
        self._failed_watchers: set[Callable[[VaultView], None]] = set()
        self._shown = self._make_view()

    # Questions, for any thread.

    @property
    def hands(self) -> Hands | None:
        """The hands that move a simulated vault; ``None`` for a real one."""
        return self._device.hands

    @property
    def is_alive(self) -> bool:
        """Whether the worker runs and the coil obeys; for watchdog and doctor."""
        is_running = self._thread is not None and self._thread.is_alive()
        late_ns = self._clock.monotonic_ns() - self._worked_at_ns
        is_prompt = late_ns <= LATE_MS * NS_PER_MS
        return is_running and is_prompt and self._device.is_sound

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings about the vault: its lines against its view."""
        try:
            levels = self._device.levels()
        except DeviceFault:
            levels = None
        findings = vault_findings(self.view(), levels, is_alive=self.is_alive)
        return tuple(findings)

    def view(self) -> VaultView:
        """Return the vault as people may see it, with the latch's waits as of now."""
        rest_s, charge_min = self._waits(self._shown.state)
        return replace(self._shown, rest_s=rest_s, charge_min=charge_min)

    def subscribe(self, watch: Callable[[VaultView], None]) -> Callable[[], None]:
        """Call *watch* with each new view, from the worker; return how to stop that.

        *watch* must return soon, and may call anything here but ``stop``.
        """
        with self._watchers_lock:
            self._watchers = (*self._watchers, watch)

        def leave() -> None:
            with self._watchers_lock:
                self._watchers = tuple(
                    kept for kept in self._watchers if kept is not watch
                )
                self._failed_watchers.discard(watch)

        return leave

    # Orders, for any thread. Each returns at once. They raise Malformed if the number
    # is not on the wheel, and Refused if too many orders are waiting already.

    def guess(self, number: int) -> None:
        """Press M as if the pointer stood on *number*."""
        named = check_number(number)
        self._inbox.put_order(
            lambda senses: self._handle_presses((Press.M,), senses.wheel.number, named)
        )

    def set_wheel(self, number: int) -> None:
        """Set the number that the pointer shows."""
        check_number(number)

        def turn(senses: Senses) -> None:
            if self._locksmith.set_wheel(number):
                self._senses = replace(senses, wheel=senses.wheel.at_number(number))

        self._inbox.put_order(turn)

    def clear_fault(self) -> None:
        """Clear a fault or a forced lid, after a person has looked."""
        self._inbox.put_order(lambda _: self._locksmith.clear_fault())

    def show_to(self, watch: Callable[[VaultView], None]) -> None:
        """Let the worker call *watch* with the current view, changed or not."""
        self._inbox.put_order(lambda _: self._show_to_watcher(watch, self._make_view()))

    # The worker.

    def start(self) -> None:
        """Read the inputs, and run the worker in a thread of its own until ``stop``."""
        if self._thread is not None:
            raise AssertionError("the keeper was started twice")
        self._read_inputs()  # Not in the thread, so that the caller gets an error.
        self._thread = threading.Thread(target=self._work, name="vault", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the worker, record the number of the wheel, and close the device."""
        if self._thread is None:
            self._shut_down()
        elif self._thread.is_alive():
            self._inbox.put_last(_stop)
            self._thread.join(STOP_TIMEOUT_S)
        self._device.close()  # Also if the worker hangs on a dead disk.

    def process(self) -> None:
        """Handle all that is queued and due; for tests, in place of ``start``."""
        self._read_inputs()
        self._tend()
        for item in self._inbox.waiting():
            self._handle(item)
            self._tend()

    def _work(self) -> None:
        """Handle items until the order to stop; after a bug, close the device."""
        try:
            self._tend()
            while (item := self._inbox.wait()) is not _stop:
                self._handle(item)
                self._tend()
            self._shut_down()
        except Exception:
            # This is a bug of ours. A dead vault with its bolt home is safer than one
            # in an unknown state; ``is_alive`` tells the watchdog.
            log.critical("vault_keeper_died")
            self._device.close()
            self._tell_watchers(
                replace(self._shown, state=VaultState.FAULT, fault=DIED)
            )
            raise

    def _read_inputs(self) -> None:
        """Read the inputs for the first time, and hear their edges from then on."""
        if self._senses is None:
            self._device.listen(self._inbox.put_edge)
            number = self._locksmith.memory.number
            self._senses = first_senses(
                self._device.levels(), number, self._settings.senses
            )
            self._levels_read_at_ns = self._worked_at_ns = self._clock.monotonic_ns()

    def _handle(self, item: Edge | _Order | None) -> None:
        if self._senses is None:
            raise AssertionError("the inputs were not read")
        if isinstance(item, Edge):
            wheel = self._senses.wheel  # Presses happened at its number, before *item*.
            self._senses, presses = self._senses.hear(item)
            if self._senses.wheel is not wheel:
                # This edge may have come late, and so may the next ones.
                now_ns = self._clock.monotonic_ns()
                self._senses = replace(self._senses, turned_at_ns=now_ns)
            self._handle_presses(presses, wheel.number)
        elif item is not None:
            item(self._senses)

    def _handle_presses(
        self, presses: tuple[Press, ...], number: int, named: int = 0
    ) -> None:
        """Hand presses to the locksmith, with *number* under the pointer.

        A phone presses M at the number that it *named*.
        """
        for press in presses:
            if press is Press.YELLOW:
                self._locksmith.press_yellow()
            elif not self._is_lid_sure():
                # An outdated lid must neither cost a guess nor lock an open vault.
                self._device.signal(Signal.WRONG_TIME)
                self._levels_read_at_ns -= LOOK_MS * NS_PER_MS  # Read the levels soon.
            elif press is Press.M:
                self._locksmith.press_m(number, named)
            else:
                self._locksmith.recode(number)

    def _is_lid_sure(self) -> bool:
        """Return whether contact, senses and lock agree on the lid."""
        if self._senses is None:
            raise AssertionError("the inputs were not read")
        is_shut = self._senses.lid.is_on
        is_known = LID_SHUT_IN.get(self._locksmith.state, is_shut) == is_shut
        return is_known and self._device.levels()[Line.LID] == is_shut

    def _tend(self) -> None:
        """Handle what is due by now, unless an item is queued, which comes first."""
        if self._senses is None or self._is_shut_down:
            return
        self._worked_at_ns = now_ns = self._clock.monotonic_ns()
        if not self._inbox.is_empty:
            return  # A queued edge may end a level that seems to last until now.
        is_edge_lost = self._inbox.lost_count != self._lost_count
        if is_edge_lost or self._next_due_ns <= now_ns:
            self._senses = self._read_levels(self._senses, now_ns)
        self._senses, presses = self._senses.elapse(now_ns)
        self._handle_presses(presses, self._senses.wheel.number)
        is_resting = self._senses.turned_at_ns is None
        self._locksmith.tend(
            is_lid_shut=self._senses.lid.is_on,
            number=self._senses.wheel.number if is_resting else None,
        )
        if self._locksmith.state is not VaultState.SHUT:
            self._senses = self._senses.forget_yellow()  # A new code needs a shut lid.
        self._set_timer(now_ns)
        self._show_changes()

    def _read_levels(self, senses: Senses, now_ns: int) -> Senses:
        senses = senses.look(self._device.levels(), now_ns)
        self._levels_read_at_ns = now_ns
        if self._inbox.lost_count != self._lost_count:
            self._lost_count = self._inbox.lost_count
            log.warning("vault_edges_lost count=%d", self._lost_count)
        due_ns = self._locksmith.due_ns
        is_giving_up = due_ns is not None and due_ns <= now_ns
        if is_giving_up and self._locksmith.state is VaultState.RELEASING:
            # If the lid is up by now, the latch is not stuck.
            return replace(senses, lid=senses.lid.at_once())
        return senses

    @property
    def _next_due_ns(self) -> int:
        """The time when senses or lock change without an edge, or a reading is due."""
        is_held = self._senses is not None and self._senses.is_held
        period_ms = LOOK_HELD_MS if is_held else LOOK_MS
        levels_due_ns = self._levels_read_at_ns + period_ms * NS_PER_MS
        senses_due_ns = None if self._senses is None else self._senses.due_ns
        dues = (levels_due_ns, senses_due_ns, self._locksmith.due_ns)
        return min(due for due in dues if due is not None)

    def _set_timer(self, now_ns: int) -> None:
        """Set the timer that wakes the worker for what is due next."""
        due_ns = self._next_due_ns
        if self._timer is not None and self._timer[0] <= now_ns:
            self._timer = None
        if self._timer is not None and self._timer[0] <= due_ns:
            return  # Waking early does no harm: the worker then sets the next timer.
        if self._timer is not None:
            self._timer[1].cancel()
        wait_ns = max(0, due_ns - now_ns)
        delay_ms = math.ceil(wait_ns / NS_PER_MS)  # Not before it is due.
        timer = self._clock.call_later(delay_ms, self._inbox.wake)
        self._timer = (now_ns + delay_ms * NS_PER_MS, timer)

    def _shut_down(self) -> None:
        """Record the number of the wheel for the next start, and close the device."""
        if self._is_shut_down:
            return
        self._is_shut_down = True
        if self._timer is not None:
            self._timer[1].cancel()
        if self._senses is not None:
            number = self._senses.wheel.number
            if number != self._locksmith.memory.number:
                self._locksmith.set_wheel(number)
        self._device.close()

    def _make_view(self) -> VaultView:
        """Return the view as of now."""
        rest_s, charge_min = self._waits(self._locksmith.state)
        memory, senses = self._locksmith.memory, self._senses
        lid = Lid.UNKNOWN
        if senses is not None:
            lid = Lid.SHUT if senses.lid.is_on else Lid.OPEN
        return VaultView(
            state=self._locksmith.state,
            lid=lid,
            number=memory.number if senses is None else senses.wheel.number,
            tries_count=memory.tries_count,
            rest_s=rest_s,
            yellow_count=0 if senses is None else len(senses.yellow_at_ns),
            fault=memory.fault,
            is_writable=self._locksmith.is_writable,
            device=self._device.name,
            has_hands=self._device.hands is not None,
            wrong_number=memory.wrong_number,
            charge_min=charge_min,
        )

    def _waits(self, state: VaultState) -> tuple[int, int]:
        """Return for how many seconds an owed opening rests, and minutes charges."""
        if state is not VaultState.JAMMED:
            return 0, 0
        rest_ms, charge_ms = self._device.rest_ms(), self._device.charge_ms()
        return math.ceil(rest_ms / 1000), math.ceil(charge_ms / 60_000)

    def _show_changes(self) -> None:
        view = self._make_view()
        if view != self._shown:
            self._tell_watchers(view)

    def _tell_watchers(self, view: VaultView) -> None:
        """Make *view* the shown one, and call all watchers."""
        self._shown = view
        for watch in self._watchers:
            self._show_to_watcher(watch, self.view())

    def _show_to_watcher(
        self, watch: Callable[[VaultView], None], view: VaultView
    ) -> None:
        """Call *watch* with *view*; log its first failure and go on."""
        try:
            watch(view)
        except Exception:
            if watch not in self._failed_watchers:  # Else each view logs it.
                self._failed_watchers.add(watch)
                log.exception("vault_watcher_failed")
