"""The vault note by note: no note is named that nobody put in."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from companion.edition import builtin
from companion.edition.snapshot import snapshot, terms
from companion.errors import Refused
from companion.game import commands as c
from companion.game import moves as m
from companion.game.ledger import Reason
from companion.game.notes import together, worth_of
from companion.game.position import OPENING
from companion.units import BANK, VAULT, Account
from companion.views.vault_in_game import VaultInGame, vault_in_game
from tests.guided import Guided, random_correction, random_move
from tests.scene import Play
from tests.vault_rig import EDITION

FIRST = ("4 x $100", "one key", "one hotel")
ON_GO, INCOME_TAX, LUXURY_TAX = (4, 6), (1, 3), (1, 3)


def seen(table: Play) -> VaultInGame:
    view = vault_in_game(table.game)
    assert view is not None
    return view


def inside(table: Play) -> tuple[str, ...]:
    """Return the words for what lies in the vault, but for its key and hotel."""
    words = seen(table).inside.words
    assert words[-2:] == FIRST[-2:]
    return words[:-2]


def go(table: Guided, seat: str, space: int, dice: tuple[int, int]) -> Guided:
    """*seat* rolls from there, whatever the table had waited for."""
    table.given(f"turn {seat}", f"{seat} on {space}")
    table.give(m.Roll(by=seat, dice=dice))
    return table


@pytest.fixture
def table() -> Guided:
    return Guided(EDITION, 2)


def test_the_first_filling_is_known_note_by_note(table: Guided) -> None:
    assert seen(table).inside.words == FIRST


def test_go_adds_one_note_of_the_bank(table: Guided) -> None:
    go(table, "red", 35, ON_GO)
    assert inside(table) == ("5 x $100",)


def test_a_tax_comes_in_the_notes_that_it_was_paid_with(table: Guided) -> None:
    go(table, "red", 0, INCOME_TAX)
    assert inside(table) == ("4 x $100", "$400 in the notes that were paid")
    go(table, "blue", 34, LUXURY_TAX)
    assert inside(table) == ("4 x $100", "$800 in the notes that were paid")
    go(table, "red", 35, ON_GO)
    assert inside(table) == ("5 x $100", "$800 in the notes that were paid")


def test_what_comes_out_is_what_lay_inside_and_what_goes_in_is_the_sheets(
    table: Guided,
) -> None:
    go(go(table, "red", 0, INCOME_TAX), "red", 35, ON_GO)
    before = seen(table).inside
    assert table.at.stage == "guess"
    table.give(m.Guess(by="red", number=3, is_right=True, is_lid_up=False))
    assert table.at.vault_contents is not None
    assert table.at.vault_contents.lid == OPENING
    assert seen(table).take_out == before
    table.give(m.ReportLid(by=VAULT, lid="open"))
    assert seen(table).take_out == before
    assert seen(table).inside.words == ()
    going_in = seen(table).put_in
    assert going_in is not None
    assert going_in.words == FIRST
    table.give(m.Unlock(by="red", deed="boardwalk"))
    table.give(m.LockVault(by="blue"))
    assert seen(table).inside.words == FIRST


def test_a_fine_comes_in_the_notes_that_it_was_paid_with(table: Guided) -> None:
    table.given("turn blue", "blue jailed 0")
    table.give(m.PayJail(by="blue"))
    assert inside(table) == ("4 x $100", "$100 in the notes that were paid")


def test_a_correction_leaves_an_amount_and_its_undo_the_notes(table: Guided) -> None:
    words = ("vault", "cash", "700")
    table.give(m.CorrectPosition(by=c.TABLE, words=words))
    assert inside(table) == ("$700 in the notes that were paid",)
    table.give(c.Undo(by=c.TABLE))
    assert inside(table) == FIRST[:1]
    table.give(c.Redo(by=c.TABLE))
    assert inside(table) == ("$700 in the notes that were paid",)


def test_a_correction_of_something_else_changes_no_note(table: Guided) -> None:
    go(table, "red", 0, INCOME_TAX)
    for words in ("red on 7", "red cash 10", "vault cash 800", "vault shut"):
        table.give(m.CorrectPosition(by=c.TABLE, words=tuple(words.split())))
    assert inside(table) == ("4 x $100", "$400 in the notes that were paid")


def test_what_goes_out_by_hand_may_have_been_any_note(table: Guided) -> None:
    table.give(m.RestPlay(by=c.TABLE))
    for payer, payee, amount in ((VAULT, BANK, 50), (BANK, VAULT, 50)):
        table.give(
            c.Pay(
                by=c.TABLE,
                payer=Account(payer),
                payee=Account(payee),
                amount=amount,
                reason=Reason.OTHER,
            )
        )
    table.give(m.ResumePlay(by=c.TABLE))
    assert inside(table) == ("$400 in the notes that were paid",)


def test_a_vault_that_was_paid_into_before_the_start_holds_an_amount() -> None:
    edition = builtin(EDITION)
    table = Play("red", "blue", terms=terms(edition))
    pay = c.Pay(by="red", payer=Account("red"), payee=VAULT, amount=30)
    table.give(pay)
    table.give(m.BeginPlay(by=c.TABLE, rules=snapshot(edition, {})))
    assert inside(table) == ("$430 in the notes that were paid",)


def test_where_the_box_names_no_notes_none_is_named() -> None:
    edition = builtin(EDITION)
    rules = snapshot(edition, {})
    assert rules.vault is not None
    vault = replace(rules.vault, first_notes=(), refill_notes=())
    table = Play("red", "blue", terms=terms(edition))
    table.give(m.BeginPlay(by=c.TABLE, rules=replace(rules, vault=vault)))
    assert inside(table) == ("$400 in the notes that were paid",)
    table.give(m.Roll(by="red", dice=(2, 3)))
    table.give(m.Guess(by="red", number=3, is_right=True))
    going_in = seen(table).put_in
    assert going_in is not None
    assert going_in.words[0] == "$400 in any notes"


def test_two_piles_are_one_with_the_largest_note_first() -> None:
    assert together(((100, 4),), ((500, 1), (100, 1))) == ((500, 1), (100, 5))
    assert together((), ()) == ()
    assert worth_of(((500, 1), (100, 5))) == 1_000


@pytest.mark.parametrize("seed", range(8))
def test_in_any_game_only_notes_are_named_that_were_put_in(seed: int) -> None:
    dice, table, named = random.Random(seed), Guided(EDITION, 3), 0
    for _ in range(400):
        if table.at.base == "over":
            break
        is_agreed = dice.random() < 0.02
        try:
            table.give(
                (random_correction if is_agreed else random_move)(dice, table.game)
            )
        except Refused:
            continue
        view = seen(table)
        for pile in (view.inside, view.take_out, view.put_in):
            if pile is not None:
                assert {note for note, _ in pile.notes} <= {100}, f"seed {seed}"
                assert worth_of(pile.notes) <= pile.money, f"seed {seed}"
                named += len(pile.notes)
    assert named > 20, f"seed {seed}: nothing was ever known"
