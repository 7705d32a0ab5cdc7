"""Plug sticks into a machine of qemu's, and pull them, whenever somebody inside asks.

``python stick_outside.py SOCKET IMAGES OUT``: each request is a file in the folder OUT,
``ask-N``, with what ``act`` takes, in JSON; the answer is ``did-N``, empty or an error.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from pathlib import Path
from typing import Any

LOOK_S = 0.01
"""How often it is looked for requests."""


class Machine:
    """The machine, by qemu's own protocol, and the images of its sticks."""

    def __init__(self, path: str, images: Path) -> None:
        self._images = images
        self._known: set[str] = set()
        self._lock = threading.Lock()
        line = socket.socket(socket.AF_UNIX)
        while line.connect_ex(path):
            if not images.exists():
                sys.exit("expected a machine at the end of the socket, got none")
            threading.Event().wait(LOOK_S)
        self._line = line.makefile("rw")
        json.loads(self._line.readline())  # It greets.
        self._say("qmp_capabilities")

    def act(self, act: str, name: str, in_s: float = 0, **options: object) -> None:
        """``plug`` or ``pull`` the stick *name*.

        Args:
            act: One of the two.
            name: An image.
            in_s: The seconds until a stick is pulled; the answer comes before.
            options: ``read-only`` for one with a switch, ``bytes_s`` for a slow one.
        """
        if act == "plug":
            self._plug(name, **options)
        elif in_s:
            threading.Timer(in_s, self._pull, (name,)).start()
        else:
            self._pull(name)

    def _plug(self, name: str, bytes_s: int = 0, **options: object) -> None:
        if name not in self._known:
            self._known.add(name)
            file = {"driver": "file", "filename": str(self._images / name)}
            node: dict[str, object] = {"driver": "raw", "file": file, **options}
            if bytes_s:
                limits = {"bps-total": bytes_s, "bps-total-max": bytes_s}
                group = {"qom-type": "throttle-group", "id": f"{name}-speed"}
                self._say("object-add", **group, limits=limits)
                speed = {"driver": "throttle", "throttle-group": f"{name}-speed"}
                node = {**speed, "file": node}
            self._say("blockdev-add", **node, **{"node-name": name})
        device = {"driver": "usb-storage", "drive": name, "id": name, "bus": "xhci.0"}
        self._say("device_add", **device)

    def _pull(self, name: str) -> None:
        self._say("device_del", id=name)

    def _say(self, command: str, **arguments: Any) -> None:
        """Give a command, and return once it is done: a device has gone, too."""
        is_done, is_gone = False, command != "device_del"
        with self._lock:
            said = {"execute": command, "arguments": arguments}
            self._line.write(json.dumps(said) + "\n")
            self._line.flush()
            while not (is_done and is_gone):
                answer = json.loads(self._line.readline())
                if "error" in answer:
                    raise OSError(answer["error"]["desc"])
                is_done |= "return" in answer
                is_gone |= (
                    answer.get("event") == "DEVICE_DELETED"
                    and answer["data"].get("device") == arguments["id"]
                )


def main() -> None:
    """Answer until the folder OUT is gone."""
    path, images, out = sys.argv[1:]
    machine = Machine(path, Path(images))
    number = 0
    while Path(out).exists():
        asked = Path(out) / f"ask-{number}"
        if not asked.exists():
            threading.Event().wait(LOOK_S)
            continue
        error = ""
        try:
            machine.act(**json.loads(asked.read_text()))
        except OSError as refused:
            error = str(refused)
        answer = asked.with_name("answer")
        answer.write_text(error)
        answer.rename(asked.with_name(f"did-{number}"))
        number += 1


if __name__ == "__main__":
    main()
