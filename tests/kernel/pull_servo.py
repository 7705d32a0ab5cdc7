"""A program that holds the bolt back by a servo, until it is killed."""

from __future__ import annotations

import sys

from hardware.clock import SystemClock
from hardware.vault.latches import Travel
from hardware.vault.pins import SERVO_BCM
from hardware.vault.pwm import find_channel
from hardware.vault.servo import Servo

if __name__ == "__main__":
    servo = Servo(find_channel(SERVO_BCM), Travel(1000, 2000), SystemClock())
    servo(True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
