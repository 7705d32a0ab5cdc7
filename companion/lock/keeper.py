"""The vault's keeper: one worker that reads the inputs, decides, writes, then acts.

Pins, pages and timers only put items into the inbox. The worker takes them out and
hands them to the locksmith, who appends to the journal before the bolt moves. A restart
repeats nothing from before: it reads the lid and leaves the bolt alone.

Tests call ``process``; ``start`` does the same in a thread of its own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from companion.errors import DeviceFault
from companion.health import Finding
from companion.lock import events as e
from companion.lock.debounce import NS_PER_MS
from companion.lock.health import vault_findings
from companion.lock.inbox import Inbox
from companion.lock.locksmith import (
    Gate,
    Locksmith,
    Record,
    ReleaseSettings,
    heard_always,
)
from companion.lock.quadrature import checked_number
from companion.lock.senses import Press, Senses, SenseSettings, feel
from companion.lock.states import LID_SHUT_IN, VaultState
from companion.lock.view import Lid, VaultView
from companion.ports import Clock, Edge, Hands, Line, Signal, Timer, VaultDevice
from companion.words import say

log = logging.getLogger(__name__)

DIED = say("its program has stopped, and must be started again")
"""The fault that people read when a bug has ended the worker."""

LOOK_MS = 1000
"""The time between two readings of the levels, in case an edge was lost."""

LOOK_HELD_MS = 100
"""The same while a button is down: a lost release must not hide the next press."""

LATE_MS = 3000
"""The idle time after which the worker hangs, or waits for a bad disk."""

STOP_TIMEOUT_S = 5.0
"""The time that ``stop`` waits for the worker to finish writing."""


@dataclass(frozen=True, slots=True)
class KeeperSettings:
    """The settings of a vault."""

    release: ReleaseSettings = field(default_factory=ReleaseSettings)
    """The times for pulling the bolt."""
    senses: SenseSettings = field(default_factory=SenseSettings)
    """The times after which inputs count, and the wheel that is mounted."""


@dataclass(frozen=True, slots=True)
class _SetWheel:
    number: int


@dataclass(frozen=True, slots=True)
class _Guess:
    number: int


@dataclass(frozen=True, slots=True)
class _ClearFault:
    pass


@dataclass(frozen=True, slots=True)
class _ShowTo:
    watch: Callable[[VaultView], None]


@dataclass(frozen=True, slots=True)
class _Stop:
    pass


_Order = _SetWheel | _Guess | _ClearFault | _ShowTo | _Stop


class VaultKeeper:
    """Owns the lock, the device and the code; safe to call from any thread.

    Args:
        device: The vault's electronics; ``stop`` closes it.
        clock: The clock.
        record: Writes events before anything moves.
        draw_code: Draws a new code, 1 to 6; must be unguessable.
        remembered: All vault events of earlier runs, oldest first.
        settings: The settings of the vault.
        gate: Returns the guess that is due now; called by the worker.
        pulled_ms_ago: How long ago the bolt was pulled in earlier runs, oldest first;
            the coil must still rest for those pulls.
    """

    def __init__(
        self,
        device: VaultDevice,
        clock: Clock,
        record: Record,
        draw_code: Callable[[], int],
        *,
        remembered: Iterable[e.VaultEvent] = (),
        settings: KeeperSettings | None = None,
        gate: Gate = heard_always,
        pulled_ms_ago: Iterable[int] = (),
    ) -> None:
        settings = settings or KeeperSettings()
        self._device = device
        self._clock = clock
        self._settings = settings
        for ago_ms in pulled_ms_ago:
            device.remember_pulse(ago_ms, settings.release.on_time_ms)
        self._locksmith = Locksmith(
            device,
            clock,
            record,
            draw_code,
            e.remember(remembered),
            settings.release,
            gate,
        )
        self._inbox: Inbox[_Order] = Inbox()
        self._senses: Senses | None = None  # None until the inputs were read.
        self._lost_count = 0
        self._looked_at_ns = 0
        self._worked_at_ns = 0
        self._timer: tuple[int, Timer] | None = None
        self._thread: threading.Thread | None = None
        self._is_put_away = False
        self._watchers: tuple[Callable[[VaultView], None], ...] = ()
        self._watchers_lock = threading.Lock()
        self._stumbled: set[Callable[[VaultView], None]] = set()
        self._shown = self._look()

    # Questions, for any thread.

    @property
    def hands(self) -> Hands | None:
        """The hands that move a simulated vault; ``None`` for a real one."""
        return self._device.hands

    @property
    def lost_edges_count(self) -> int:
        """The number of edges dropped because they came too fast for the worker."""
        return self._inbox.lost_count

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
        """Return the vault as people may see it, with the coil's rest as of now."""
        wait_ms = self._device.rest_ms(self._settings.release.on_time_ms)
        return replace(self._shown, coil_wait_ms=wait_ms)

    def subscribe(self, watch: Callable[[VaultView], None]) -> Callable[[], None]:
        """Call *watch* with each new view, from the worker; return how to stop that.

        *watch* must return soon, and may call anything here but ``stop``.
        """
        with self._watchers_lock:
            self._watchers = (*self._watchers, watch)

        def leave() -> None:
            with self._watchers_lock:
                self._watchers = tuple(
                    other for other in self._watchers if other is not watch
                )
                self._stumbled.discard(watch)

        return leave

    # Orders, for any thread. Each returns at once. They raise Malformed if the number
    # is not on the wheel, and Refused if too many orders are waiting already.

    def guess(self, number: int) -> None:
        """Press M as if the pointer stood on *number*."""
        self._inbox.put_order(_Guess(checked_number(number)))

    def set_wheel(self, number: int) -> None:
        """Set the number that the pointer shows."""
        self._inbox.put_order(_SetWheel(checked_number(number)))

    def clear_fault(self) -> None:
        """Clear a fault or a forced lid, after a person has looked."""
        self._inbox.put_order(_ClearFault())

    def show_to(self, watch: Callable[[VaultView], None]) -> None:
        """Let the worker call *watch* with the current view, changed or not."""
        self._inbox.put_order(_ShowTo(watch))

    # The worker.

    def start(self) -> None:
        """Read the inputs, and run the worker in a thread of its own until ``stop``."""
        if self._thread is not None:
            raise AssertionError("the keeper was started twice")
        self._feel()  # Not in the thread, so that the caller gets an error.
        self._thread = threading.Thread(target=self._work, name="vault", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the worker, record the number of the wheel, and close the device."""
        if self._thread is None:
            self._put_away()
        elif self._thread.is_alive():
            self._inbox.put_last(_Stop())
            self._thread.join(STOP_TIMEOUT_S)
        self._device.close()  # Also if the worker hangs on a dead disk.

    def process(self) -> None:
        """Handle all that is queued and due; for tests, in place of ``start``."""
        self._feel()
        self._tend()
        for item in self._inbox.waiting():
            self._take(item)
            self._tend()

    def _work(self) -> None:
        try:
            self._tend()
            while not isinstance(item := self._inbox.wait(), _Stop):
                self._take(item)
                self._tend()
            self._put_away()
        except Exception:
            # This is a bug of ours. A dead vault with its bolt home is safer than one
            # in an unknown state; ``is_alive`` tells the watchdog.
            log.critical("vault_keeper_died")
            self._device.close()
            self._tell(replace(self._shown, state=VaultState.FAULT, fault=DIED))
            raise

    def _feel(self) -> None:
        if self._senses is None:
            self._device.listen(self._inbox.put_edge)
            number = self._locksmith.memory.number
            self._senses = feel(self._device.levels(), number, self._settings.senses)
            self._looked_at_ns = self._worked_at_ns = self._clock.monotonic_ns()

    def _take(self, item: Edge | _Order | None) -> None:
        if self._senses is None:
            raise AssertionError("the inputs were not read")
        if isinstance(item, Edge):
            wheel = self._senses.wheel  # M was pressed at its number, before *item*.
            self._senses, presses = self._senses.hear(item)
            if self._senses.wheel is not wheel:
                # This edge may have come late, and so may the next ones.
                now_ns = self._clock.monotonic_ns()
                self._senses = replace(self._senses, turned_at_ns=now_ns)
            self._answer(presses, wheel.number)
        elif isinstance(item, _Guess):
            self._answer((Press.M,), item.number)
        elif isinstance(item, _ClearFault):
            self._locksmith.clear_fault()
        elif isinstance(item, _ShowTo):
            self._show_to(item.watch, self._look())
        elif isinstance(item, _SetWheel) and self._locksmith.set_wheel(item.number):
            wheel = self._senses.wheel.at_number(item.number)
            self._senses = replace(self._senses, wheel=wheel)

    def _answer(self, presses: tuple[Press, ...], number: int) -> None:
        for press in presses:
            if press is Press.YELLOW:
                self._locksmith.press_yellow()
            elif not self._is_lid_sure():
                # An outdated lid must neither cost a guess nor lock an open vault.
                self._device.signal(Signal.WRONG_TIME)
                self._looked_at_ns -= LOOK_MS * NS_PER_MS  # Read the levels soon.
            elif press is Press.M:
                self._locksmith.press_m(number)
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
        """Handle time, lost edges, the lid, the next timer and the watchers.

        Do nothing while items are queued: this runs again after each of them.
        """
        if self._senses is None or self._is_put_away:
            return
        self._worked_at_ns = now_ns = self._clock.monotonic_ns()
        if not self._inbox.is_empty:
            return  # A queued edge may end a level that seems to last until now.
        if self._is_due(now_ns):
            self._look_again(now_ns)
        self._senses, presses = self._senses.elapse(now_ns)
        self._answer(presses, self._senses.wheel.number)
        is_resting = self._senses.turned_at_ns is None
        self._locksmith.tend(
            is_lid_shut=self._senses.lid.is_on,
            number=self._senses.wheel.number if is_resting else None,
        )
        if self._locksmith.state is not VaultState.SHUT:
            self._senses = self._senses.forget_yellow()  # A new code needs a shut lid.
        self._arm(now_ns)
        self._show()

    def _is_due(self, now_ns: int) -> bool:
        """Return whether to read the levels: before anything that waits for time."""
        dues = (self._look_due_ns, self._senses_due_ns, self._locksmith.due_ns)
        is_lost = self._inbox.lost_count != self._lost_count
        return is_lost or any(due is not None and due <= now_ns for due in dues)

    def _look_again(self, now_ns: int) -> None:
        if self._senses is None:
            raise AssertionError("the inputs were not read")
        self._senses = self._senses.look(self._device.levels(), now_ns)
        self._looked_at_ns = now_ns
        if self._inbox.lost_count != self._lost_count:
            self._lost_count = self._inbox.lost_count
            log.warning("vault_edges_lost count=%d", self._lost_count)
        is_giving_up = (self._locksmith.due_ns or now_ns + 1) <= now_ns
        if is_giving_up and self._locksmith.state is VaultState.RELEASING:
            # If the lid is up by now, the latch is not stuck.
            self._senses = replace(self._senses, lid=self._senses.lid.at_once())

    @property
    def _look_due_ns(self) -> int:
        is_held = self._senses is not None and self._senses.is_held
        period_ms = LOOK_HELD_MS if is_held else LOOK_MS
        return self._looked_at_ns + period_ms * NS_PER_MS

    @property
    def _senses_due_ns(self) -> int | None:
        return None if self._senses is None else self._senses.due_ns

    def _arm(self, now_ns: int) -> None:
        """Set the timer that wakes the worker for what is due next."""
        dues = (self._look_due_ns, self._senses_due_ns, self._locksmith.due_ns)
        due_ns = min(due for due in dues if due is not None)
        if self._timer is not None and self._timer[0] <= now_ns:
            self._timer = None
        if self._timer is not None and self._timer[0] <= due_ns:
            return  # Waking early does no harm: that sets the next timer.
        if self._timer is not None:
            self._timer[1].cancel()
        delay_ms = max(0, -(-(due_ns - now_ns) // NS_PER_MS))
        timer = self._clock.call_later(delay_ms, self._inbox.wake)
        self._timer = (now_ns + delay_ms * NS_PER_MS, timer)

    def _put_away(self) -> None:
        """Record the number of the wheel for the next start, and close the device."""
        if self._is_put_away:
            return
        self._is_put_away = True
        if self._timer is not None:
            self._timer[1].cancel()
        if self._senses is not None:
            number = self._senses.wheel.number
            if number != self._locksmith.memory.number:
                self._locksmith.set_wheel(number)
        self._device.close()

    def _look(self) -> VaultView:
        memory, senses = self._locksmith.memory, self._senses
        lid = Lid.UNKNOWN
        if senses is not None:
            lid = Lid.SHUT if senses.lid.is_on else Lid.OPEN
        return VaultView(
            state=self._locksmith.state,
            lid=lid,
            number=memory.number if senses is None else senses.wheel.number,
            tries_count=memory.tries_count,
            coil_wait_ms=0,
            yellow_count=0 if senses is None else len(senses.yellow_at_ns),
            fault=memory.fault,
            is_writable=self._locksmith.is_writable,
            device=self._device.name,
            has_hands=self._device.hands is not None,
            wrong_number=memory.wrong_number,
        )

    def _show(self) -> None:
        view = self._look()
        if view != self._shown:
            self._tell(view)

    def _tell(self, view: VaultView) -> None:
        self._shown = view
        for watch in self._watchers:
            self._show_to(watch, self.view())

    def _show_to(self, watch: Callable[[VaultView], None], view: VaultView) -> None:
        try:
            watch(view)
        except Exception:
            if watch not in self._stumbled:  # It would be logged at each view.
                self._stumbled.add(watch)
                log.exception("vault_watcher_failed")
