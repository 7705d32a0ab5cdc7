"""What is printed in a box, and what stands on the table, asked by name.

The figures come out of the edition's file and from what people typed in; the position
is asked only for who owns what, and what stands where. Nothing here asks the rules.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.game import Game
from companion.game import play_events as p
from companion.game.position import Position
from tests.evening.reckoning import card_of, plain, sheet, up


class Box:
    """What is printed in a box, with what the table typed in, under its options."""

    def __init__(self, edition: str, options: dict[str, str]) -> None:
        self._sheet = sheet(edition)
        defaults = {one["key"]: str(one["default"]) for one in self._sheet["option"]}
        self.options = defaults | options
        self._typed: dict[tuple[str, str], Any] = {}

    def with_typed(self, event: p.BoxRead) -> Box:
        """Return the box with a value that somebody read off the real one."""
        _, _, rest = event.key.partition(".")
        of, _, field = rest.rpartition(".")
        box = Box.__new__(Box)
        box._sheet, box.options = self._sheet, self.options
        box._typed = self._typed | {(of, field): event.value}
        return box

    def rule(self, section: str, key: str) -> Any:
        """Return a figure of the mechanics; ``None`` if there is none."""
        quick = self._sheet.get("quick", {}) if self.is_on("quick") else {}
        return plain(quick.get(key, self._sheet.get(section, {}).get(key)))

    def is_on(self, option: str, value: str = "on") -> bool:
        """Whether the table plays with that value of an option."""
        return self.options.get(option) == value

    def space(self, number: int) -> dict[str, Any]:
        """Return what is printed on a space, which somebody may have read there."""
        found = next(one for one in self._sheet["space"] if one["number"] == number)
        return found | {"kind": self._typed.get((str(number), "kind"), found["kind"])}

    def card(self, card: str) -> dict[str, Any]:
        """Return what a card does, which may be written as its code."""
        found = card_of(self._sheet, card)
        amount = self._typed.get((card, "amount"), found.get("amount"))
        return found | {"amount": amount}

    def times(self, card: str) -> int:
        """Return by how much a card multiplies."""
        found = self.card(card)
        if found["if_owned"] == "dice-times" and "nearest_utility" in self.options:
            return int(self.options["nearest_utility"])
        return int(found["times"])

    # Deeds.

    def deed(self, deed: str) -> dict[str, Any]:
        """Return the card of a deed as the file has it; empty if it is no deed."""
        found: dict[str, Any] = self._sheet["deed"].get(deed, {})
        return found

    def members(self, deed: str) -> list[str]:
        """List the deeds of a group."""
        group = self.deed(deed)["group"]
        return [
            key for key, one in self._sheet["deed"].items() if one["group"] == group
        ]

    def figure(self, deed: str, field: str) -> Any:
        """Return a figure of a deed: as typed in, as printed, or as it is likely."""
        if (deed, field) in self._typed:
            return self._typed[deed, field]
        card = self.deed(deed)
        found = plain(card.get(field))
        if found is not None or not self.is_on("unknown_figures", "likely"):
            return found
        for one in card.get("candidates", ()):
            if one["field"] == field and "printing" not in one:
                return one["value"]
        return self._derived(deed, field)

    def _derived(self, deed: str, field: str) -> int | None:
        """Return half the price, or ten percent more than the loan.

        A deed without a price is taken for the one of its group with the nearest rent.
        """
        if field == "unmortgage":
            return up(self.figure(deed, "mortgage"), 110)
        if field != "mortgage":
            return None
        rent = self.figure(deed, "rent")
        priced = [x for x in self.members(deed) if self.figure(x, "price") is not None]
        near = min(priced, key=lambda x: abs(self.figure(x, "rent") - rent))
        alike = deed if deed in priced else near
        return int(self.figure(alike, "price")) // 2

    def ladder(self, deed: str) -> list[str]:
        """List what is built on a deed, step by step."""
        if self.deed(deed)["kind"] != "street":
            return ["depot"] if "depot_cost" in self.deed(deed) else []
        ladder = list(self.rule("buildings", "ladder"))
        houses = self.rule("buildings", "houses_before_hotel")
        return ladder if houses is None else ["house"] * houses + ["hotel"]

    def cost(self, deed: str, step: int) -> int:
        """Return the price of a step of the ladder, which begins with 0."""
        return int(self.figure(deed, f"{self.ladder(deed)[step]}_cost") or 0)

    def rent_built(self, deed: str, level: int) -> int | None:
        """Return the rent printed on a street with so many steps of its ladder."""
        steps = self.ladder(deed)[:level]
        kind, count = steps[-1], steps.count(steps[-1])
        if kind == "house":
            return int(self.figure(deed, "rent_houses")[count - 1])
        if self.ladder(deed).count("hotel") > 1:
            kind = ("1_hotel", "2_hotels")[count - 1]
        found = self.figure(deed, f"rent_{kind}")
        return None if found is None else int(found)

    def rents_by_owned(self, deed: str) -> list[int]:
        """List the rents of a railroad, or the multiples of a utility."""
        card = self.deed(deed)
        key = "rent_by_owned" if "rent_by_owned" in card else DICE_BY_OWNED
        return list(card[key])


DICE_BY_OWNED = "rent_dice_multiplier_by_owned"


class Table:
    """A position, asked by the names of deeds and seats."""

    def __init__(self, game: Game, box: Box) -> None:
        assert game.play is not None
        assert game.board is not None
        self.play: Position = game.play
        self.game, self.box, self._index = game, box, game.board.index

    def owner(self, deed: str) -> str:
        """Return who owns a deed; empty for the bank."""
        return self.play.owners[self._index[deed]]

    def deeds_of(self, seat: str) -> list[str]:
        """List what a seat owns."""
        return [deed for deed in self._index if self.owner(deed) == seat]

    def level(self, deed: str) -> int:
        """Return how many steps of the ladder stand there."""
        return self.play.levels[self._index[deed]]

    def is_mortgaged(self, deed: str) -> bool:
        """Whether a deed is mortgaged."""
        return self.play.mortgaged[self._index[deed]]

    def owned(self, deed: str) -> int:
        """Count the deeds of the group that belong to the deed's owner."""
        whose = self.owner(deed)
        return sum(self.owner(one) == whose for one in self.box.members(deed))

    def standing(self, seat: str) -> Counter[str]:
        """Count what stands on a seat's deeds, by kind: a hotel has no houses left."""
        found: Counter[str] = Counter()
        for deed in self.deeds_of(seat):
            steps = self.box.ladder(deed)[: self.level(deed)]
            found.update(step for step in steps if step == steps[-1])
        return found

    def space(self, seat: str) -> int:
        """Return where a token stands."""
        return self.play.token_of(seat).space
