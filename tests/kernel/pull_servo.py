"""A program that holds the bolt back by a servo, until it is killed."""

from __future__ import annotations

import sys

from hardware.clock import SystemClock
from tests.kernel.servo_stand_in import Servo, Travel, find_channel

if __name__ == "__main__":
    servo = Servo(find_channel(12), Travel(1000, 2000), SystemClock())
    servo(True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
