"""Boxes over HTTP: every figure with its source, and what the table reads itself."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from companion.edition import builtin, builtin_text, editions, load
from companion.edition.figures import figures
from companion.edition.model import SECTIONS
from companion.edition.shape import DEED_FIGURES
from companion.words.money import dollars_text
from tests.sample import sampled
from tests.web.conftest import Evening, House, Phone
from tests.web.forms import Form, forms_of
from tests.web.guided_table import guided, lead, said

ORIGIN = ("confidence", "sources", "note")
VAULT = "/editions/secret-vault"


class Facts(HTMLParser):
    """What a box's page says: the text of each row, and of the head of its block."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: dict[str, str] = {}
        self.heads: dict[str, str] = {}
        self._row = ""
        self._head: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "data-block" in given:
            self._head, self._row = [], ""
        elif given.get("data-figure"):
            self._row = given["data-figure"] or ""
            assert self._row not in self.rows, f"{self._row} stands there twice"
            self.rows[self._row] = ""
            self.heads[self._row] = " ".join(self._head)

    def handle_endtag(self, tag: str) -> None:
        if tag == "section":
            self._row = ""

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if self._row:
            self.rows[self._row] += f" {words}"
        else:
            self._head.append(words)


def opened(phone: Phone, edition_id: str, what: str) -> Iterator[str]:
    """The page of a box, once for each part of it that a link opens."""
    path = f"/editions/{edition_id}"
    closed = phone.get(path)
    assert closed.status_code == 200, closed.text
    yield closed.text
    seen, texts = set[str](), [closed.text]
    while texts:
        for part in re.findall(rf'href="\?{what}=([^"#]+)[#"]', texts.pop()):
            if part not in seen:
                seen.add(part)
                texts.append(phone.get(f"{path}?{what}={part}").text)
                yield texts[-1]


def facts(phone: Phone, edition_id: str) -> Facts:
    found = Facts("")
    for text in opened(phone, edition_id, "chapter"):
        assert len(text.encode()) < 60_000
        found.feed(text)
    return found


def in_file(edition_id: str) -> Iterator[tuple[str, object, tuple[str, ...]]]:
    """Key, value and sources of every figure that a file itself gives."""
    raw = tomllib.loads(builtin_text(edition_id.removesuffix("-uk")) or "")
    for part in SECTIONS:
        section = raw.get(part, {})
        for name, figure in section.items():
            if name in ORIGIN:
                continue
            own = figure if isinstance(figure, dict) else {"value": figure}
            if "value" not in own and "confidence" not in own:
                own = {"value": figure}  # A pile of notes.
            sources = own.get("sources", section.get("sources", ()))
            is_known = own.get("confidence") != "unknown"
            yield f"{part}.{name}", own.get("value"), sources if is_known else ()
    board = raw.get("board", {})
    for space in raw.get("space", ()):
        sources = space.get("sources", board.get("sources", ()))
        is_known = space.get("confidence") != "unknown"
        amount = space.get("amount", "") if is_known else None
        yield f"space.{space['number']}", amount, sources if is_known else ()
    yield from _deeds_in(raw)
    decks = {deck["id"]: deck.get("sources", ()) for deck in raw.get("deck", ())}
    for card in raw.get("card", ()):
        is_known = card.get("confidence") != "unknown"
        sources = card.get("sources", decks[card["deck"]]) if is_known else ()
        yield (
            f"card.{card['id']}",
            card.get("amount", "") if is_known else None,
            sources,
        )


def _deeds_in(
    raw: Mapping[str, list[dict[str, object]]],
) -> Iterator[tuple[str, object, tuple[str, ...]]]:
    for deed in raw.get("deed", ()):
        for name in DEED_FIGURES:
            key = f"deed.{deed['id']}.{name}"
            value = deed.get(name)
            if isinstance(value, list):
                for number, step in enumerate(value, 1):
                    yield f"{key}.{number}", step, deed["sources"]
            elif value is not None:
                yield key, value, deed["sources"]
            elif name in deed.get("unknown", ()):
                yield key, None, ()


BOXES = (*editions(), "classic-uk")


WORDS = {
    "confirmed": "confirmed",
    "single": "one source",
    "inferred": "derived",
    "unknown": "unknown",
}


@pytest.mark.parametrize("edition_id", sampled(BOXES, 2))
def test_every_figure_stands_on_the_page_with_its_origin(
    calm: Evening, edition_id: str
) -> None:
    shown = facts(calm.anna, edition_id)
    check_values(shown, edition_id)
    check_origins(shown, edition_id)


def check_values(shown: Facts, edition_id: str) -> None:
    """Every figure of the file stands there with its source."""
    sign = builtin(edition_id).currency
    listed = list(in_file(edition_id))
    assert len(listed) > 60
    for key, value, sources in listed:
        row = shown.rows[key]
        if value is None:
            assert "unknown" in row, key
        elif type(value) is int:
            assert re.search(rf"(?<![\d,]){value:,}(?![\d,])", row), (key, value, row)
        elif isinstance(value, list) and value and type(value[0]) is int:
            assert all(f"{one:,}" in row for one in value), (key, value, row)
        for source in sources:
            assert source in f"{row} {shown.heads[key]}", (key, source, row)
    assert f"deed.{builtin(edition_id).deeds[0].id}.rent" in shown.rows
    first = builtin(edition_id).deeds[0]
    assert dollars_text(first.price or 0, sign) in shown.rows[f"deed.{first.id}.price"]


def check_origins(shown: Facts, edition_id: str) -> None:
    """Every figure says how well it is known, and its note."""
    for one in figures(builtin(edition_id)):
        key = one.key
        if one.part in ("space", "card") and key not in shown.rows:
            key = f"{one.part}.{one.of}"
        word = WORDS[one.origin.confidence]
        assert word in f"{shown.rows[key]} {shown.heads[key]}", (key, word)
        row = shown.rows[key].replace("an unknown amount", "")
        levels = [x for x in WORDS.values() if x in row]
        assert not levels or word in levels, (key, levels)
        assert one.origin.note in f"{shown.rows[key]} {shown.heads[key]}", key


def test_the_boxes_are_counted(calm: Evening) -> None:
    text = " ".join(calm.house.guest().get("/editions").text.split())
    for edition_id in editions():
        edition = builtin(edition_id)
        assert f'href="/editions/{edition_id}"' in text
        assert html.escape(edition.name) in text
        sure = sum(one.origin.confidence == "confirmed" for one in figures(edition))
        assert f"<b>{sure}</b>" in text


def test_a_box_that_is_not_there_is_not_found(calm: Evening) -> None:
    for one in ("nowhere", "classic-uk-uk", "own.toml"):
        answer = calm.anna.get(f"/editions/{one}")
        assert answer.status_code == 404, one
        assert "There is no such box" in answer.text


def test_a_source_leads_to_its_address(calm: Evening) -> None:
    text = calm.anna.get("/editions/mega").text
    assert 'id="source-wp-mega"' in text
    assert 'href="https://en.wikipedia.org/wiki/Monopoly:_The_Mega_Edition"' in text


def test_other_readings_stand_beside_a_figure(calm: Evening) -> None:
    row = facts(calm.anna, "mega").rows["deed.arctic-avenue.rent_hotel"]
    assert "$500" in row
    assert "Others say $450" in row


# Who types.


def asking(phone: Phone, edition_id: str = "secret-vault") -> list[Form]:
    """The forms that ask for figures."""
    texts = opened(phone, edition_id, "of")
    forms = [form for text in texts for form in forms_of(text) if form.verb == "type"]
    by_question = {(*form.typed, *form.choices): form for form in forms}
    return [form for asked, form in by_question.items() if asked]


MORTGAGE = "deed.boardwalk.mortgage"


@pytest.fixture
def table(house: House) -> Evening:
    evening = guided(house, "secret-vault")
    said(evening, "red owns boardwalk park-place")
    return evening


def typed(phone: Phone, of: str, path: str = VAULT, **figures: str):
    part = "card" if of.startswith("chance") else "deed"
    fields = {f"{part}.{of}.{name}": amount for name, amount in figures.items()}
    return phone.post(f"{path}/type", **fields)


def printed(phone: Phone, space: str, kind: str):
    return phone.post(f"{VAULT}/type", **{f"space.{space}.kind": kind})


@pytest.mark.slow
def test_everybody_sees_and_only_the_bank_types(table: Evening) -> None:
    for phone in (table.house.guest(), table.anna, table.ben):
        assert phone.get(VAULT).status_code == 200
        assert asking(phone) == []
        for verb in ("type", "take-back"):
            form = {MORTGAGE: "400", "key": MORTGAGE}
            answer = phone.post(f"{VAULT}/{verb}", **form)
            assert answer.status_code == 403, verb
            assert "Only the banker types in what the box says" in answer.text
    assert len(asking(table.host)) == 22 + 1 + 3
    table.host.do(table.game_id, "hand-banker", to="blue")
    assert len(asking(table.ben)) == 22 + 1 + 3
    assert typed(table.ben, "boardwalk", mortgage="400").status_code == 303
    assert asking(table.anna) == []


def test_a_post_from_elsewhere_is_refused(table: Evening) -> None:
    answer = table.host.post(
        f"{VAULT}/type",
        headers={"Origin": "http://elsewhere"},
        **{MORTGAGE: "400"},
    )
    assert answer.status_code == 403
    assert table.house.panel.editions("secret-vault") is builtin("secret-vault")


# What is typed.


def figure_in_game(evening: Evening, deed: str, name: str) -> object:
    board = evening.house.table.game(evening.game_id).board
    assert board is not None
    return getattr(board.rules.deeds[board.index[deed]], name)


def test_the_game_that_is_led_hears_it_and_an_undo_takes_it_back(
    table: Evening,
) -> None:
    answer = typed(table.host, "boardwalk", mortgage="400", unmortgage="$440")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{VAULT}?of=chance-kind-3"
    assert figure_in_game(table, "boardwalk", "mortgage") == 400
    assert figure_in_game(table, "boardwalk", "unmortgage") == 440
    row = facts(table.anna, "secret-vault").rows["deed.boardwalk.mortgage"]
    assert "$400" in row
    assert "our own box" in row
    assert table.anna.do(table.game_id, "mortgage", deed="boardwalk").status_code == 303
    assert table.balance("red") == 3_400
    for _ in range(3):
        assert table.host.do(table.game_id, "undo").status_code == 303
    row = facts(table.anna, "secret-vault").rows["deed.boardwalk.mortgage"]
    assert "unknown" in row


def test_a_second_tap_and_the_same_amount_change_nothing(table: Evening) -> None:
    form = {MORTGAGE: "400", "command_id": "the-same-tap"}
    before = table.revision()
    for _ in range(2):
        assert table.host.post(f"{VAULT}/type", **form).status_code == 303
    typed(table.host, "boardwalk", mortgage="400")
    assert table.revision() == before + 1


def test_without_a_game_it_is_kept_for_the_next(house: House) -> None:
    host = house.host()
    assert typed(host, "boardwalk", mortgage="400").status_code == 303
    typed(host, "boardwalk", mortgage="\uff14\uff11\uff10 $")
    typed(host, "chance-kind-3", amount="\u0661\u0660\u0660")
    assert printed(host, "2", "chance").status_code == 303
    shown = facts(host, "secret-vault")
    assert "$410" in shown.rows["deed.boardwalk.mortgage"]
    assert "$100 go from the bank into the vault" in shown.rows["card.chance-kind-3"]
    assert "2 · Chance" in shown.rows["space.2"]
    text = host.get(f"{VAULT}?of=boardwalk").text
    assert "the banker" in text
    edition = house.panel.editions("secret-vault")
    assert edition.figure("boardwalk", "mortgage") == 410
    assert edition.spaces[2].kind == "chance"


def test_the_likely_amount_is_a_tap(table: Evening) -> None:
    (form,) = [x for x in asking(table.host) if "deed.park-place.mortgage" in x.typed]
    assert ("likely", "deed.park-place.mortgage 350") in form.buttons
    assert ("likely", "deed.park-place.unmortgage 385") in form.buttons
    likely = "deed.park-place.mortgage 350"
    table.host.post(form.action, **form.fields, likely=likely)
    assert figure_in_game(table, "park-place", "mortgage") == 350
    assert figure_in_game(table, "park-place", "unmortgage") is None


def test_typing_goes_on_to_what_lacks_and_a_change_stays(house: House) -> None:
    host = house.host()

    def onward(of: str, **figures: str) -> str:
        address = typed(host, of, **figures).headers["Location"]
        return address.partition("?of=")[2]

    assert onward("park-place", mortgage="350") == "park-place", "half of it lacks"
    assert onward("park-place", unmortgage="385") == "boardwalk"
    assert onward("park-place", mortgage="360") == "park-place", "it was a change"
    assert onward("boardwalk", mortgage="400", unmortgage="440") == "chance-kind-3"
    text = host.get(f"{VAULT}?of=mediterranean-avenue").text
    fields = re.findall(r'<input id="f-([^"]*)"[^>]*>', text)
    cursor = re.findall(r'<input id="f-([^"]*)"[^>]* autofocus>', text)
    assert fields[:1] == cursor == ["deed.mediterranean-avenue.mortgage"]


def test_a_game_plays_with_all_that_is_likely_and_nobody_has_read_it(
    table: Evening,
) -> None:
    text = table.host.get(f"{VAULT}?of=boardwalk").text
    (form,) = [x for x in forms_of(text) if ("likely-of", "park-place") in x.buttons]
    sent = {**form.fields, "likely-of": "park-place"}
    before = table.revision()
    for _ in range(2):
        assert table.host.post(form.action, **sent).status_code == 303
    assert table.revision() == before + 4, "both deeds, a mortgage and its lifting"
    assert figure_in_game(table, "boardwalk", "mortgage") == 350
    board = table.house.table.game(table.game_id).board
    assert board is not None
    assert board.is_likely("boardwalk", "mortgage")
    assert table.house.panel.editions("secret-vault") is builtin("secret-vault")
    text = table.host.get(f"{VAULT}?of=boardwalk").text
    assert "Your game plays with \u2248 $350" in text
    assert "unknown" in facts(table.anna, "secret-vault").rows[MORTGAGE]
    assert "likely-of" not in text
    typed(table.host, "boardwalk", mortgage="390")
    assert figure_in_game(table, "boardwalk", "mortgage") == 390
    for form in ({"likely-of": "nowhere"}, {"likely-of": "\0"}):
        assert table.host.post(f"{VAULT}/type", **form).status_code == 400


@pytest.mark.parametrize("which", [0, 1])
def test_likely_figures_are_offered_until_every_game_plays_with_them(
    table: Evening, which: int
) -> None:
    answer = table.host.post("/games", edition="secret-vault", name="Sunday")
    later = replace(table, game_id=answer.headers["Location"].split("/")[2])
    for name, colour, token in (("Cleo", "red", "hat"), ("Dan", "blue", "car")):
        table.house.seated(later.game_id, name, colour, token)
    lead(later, "secret-vault")
    for deed in ("boardwalk", "park-place"):
        said((table, later)[which], f"figure {deed} mortgage 350 likely")
        said((table, later)[which], f"figure {deed} unmortgage 385 likely")
    assert "likely-of" in table.host.get(f"{VAULT}?of=boardwalk").text


def test_a_space_that_nobody_knew_is_read_off_the_board(table: Evening) -> None:
    (form,) = [x for x in asking(table.host) if "space.17.kind" in x.choices]
    assert "chance" in form.choices["space.17.kind"]
    answer = printed(table.host, "17", "chance")
    assert answer.headers["Location"] == f"{VAULT}?of=33"
    board = table.house.table.game(table.game_id).board
    assert board is not None
    assert board.rules.spaces[17].kind == "chance"
    for space, kind in (("17", "jail"), (" 017\n", "chance"), ("5", "chance")):
        assert printed(table.host, space, kind).status_code == 400


def test_no_amount_takes_the_place_of_what_is_printed_on_a_space(house: House) -> None:
    host = house.host()
    assert printed(host, "17", "chance").status_code == 303
    assert printed(host, "17", "5").status_code == 400
    assert house.panel.editions("secret-vault").spaces[17].kind == "chance"


@pytest.mark.parametrize(
    ("of", "figures"),
    [
        ("boardwalk", {}),
        ("boardwalk", {"mortgage": "lots"}),
        ("boardwalk", {"mortgage": "-1"}),
        ("boardwalk", {"mortgage": "9000000"}),
        ("boardwalk", {"rent": "1"}),
        ("nowhere", {"mortgage": "1"}),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    table: Evening, of: str, figures: dict[str, str]
) -> None:
    before = table.revision()
    answer = typed(table.host, of, **figures)
    assert answer.status_code == 400
    assert 'class="card note"' in answer.text
    assert table.revision() == before
    assert table.house.panel.editions("secret-vault") is builtin("secret-vault")


def test_what_was_read_is_changed_or_forgotten(table: Evening) -> None:
    typed(table.host, "boardwalk", mortgage="40")
    typed(table.host, "boardwalk", mortgage="400")
    assert figure_in_game(table, "boardwalk", "mortgage") == 400
    form = {"key": MORTGAGE}
    assert table.host.post(f"{VAULT}/take-back", **form).status_code == 303
    own = table.house.panel.editions("secret-vault")
    assert own.figure("boardwalk", "mortgage") is None
    assert figure_in_game(table, "boardwalk", "mortgage") == 400, "this game goes on"
    typed(table.host, "boardwalk", mortgage="400")
    own = table.house.panel.editions("secret-vault")
    assert own.figure("boardwalk", "mortgage") == 400


@pytest.mark.parametrize(
    "key", ["deed.boardwalk.rent", "deed.nowhere.mortgage", "", "deed.a\r\nX: y.b"]
)
def test_only_what_nobody_knew_can_be_forgotten(table: Evening, key: str) -> None:
    answer = table.host.post(f"{VAULT}/take-back", key=key)
    assert answer.status_code == 400
    assert "Location" not in answer.headers


def test_what_was_read_is_a_file_to_share(table: Evening) -> None:
    assert table.anna.get(f"{VAULT}/own.toml").status_code == 404
    typed(table.host, "boardwalk", mortgage="400")
    answer = table.anna.get(f"{VAULT}/own.toml")
    assert answer.headers["Content-Disposition"].endswith('"our-secret-vault.toml"')
    read = load(answer.text, "our-secret-vault.toml")
    assert read.figure("boardwalk", "mortgage") == 400
    assert read.figure("park-place", "mortgage") is None


def test_the_british_box_is_a_box_of_its_own(table: Evening) -> None:
    uk = "/editions/secret-vault-uk"
    assert typed(table.host, "boardwalk", uk, mortgage="400").status_code == 303
    assert (
        "£400" in facts(table.host, "secret-vault-uk").rows["deed.boardwalk.mortgage"]
    )
    assert figure_in_game(table, "boardwalk", "mortgage") is None


# Ways there.


def test_the_refusal_says_where_to_type_it(table: Evening) -> None:
    form = {"deed": "boardwalk", "from": "deeds"}
    answer = table.anna.do(table.game_id, "mortgage", **form)
    assert answer.status_code == 409
    assert "Nobody knows the mortgage of Boardwalk" in answer.text
    assert f'href="/g/{table.game_id}/deeds/boardwalk">Type in what' in answer.text
    table.host.do(table.game_id, "hand-banker", to="red")
    answer = table.anna.do(table.game_id, "mortgage", **form)
    assert f'href="{VAULT}?of=boardwalk">To the figures' in answer.text


def test_more_and_a_deed_lead_to_the_box(table: Evening) -> None:
    assert f'href="{VAULT}"' in table.host.get(f"/g/{table.game_id}/more").text
    deed = table.anna.get(f"/g/{table.game_id}/deeds/boardwalk").text
    assert f'href="{VAULT}?of=boardwalk"' in deed


def test_a_player_takes_the_likely_amount_on_the_deed(table: Evening) -> None:
    path = f"/g/{table.game_id}/deeds/park-place"
    forms = {
        form.fields["key"]: form
        for form in forms_of(table.anna.get(path).text)
        if form.verb == "read-box"
    }
    form = forms["deed.park-place.mortgage"]
    assert ("likely", "350") in form.buttons
    table.anna.post(form.action, **form.fields, value="", likely="350")
    assert figure_in_game(table, "park-place", "mortgage") == 350


def test_a_german_phone_reads_german(table: Evening) -> None:
    typed(table.host, "boardwalk", mortgage="400")
    table.host.post("/language", language="de", back="/")
    for edition_id in BOXES:
        text = table.host.get(f"/editions/{edition_id}").text
        own = re.sub(r'<(\w+)[^>]* lang="en"[^>]*>.*?</\1>', "", text, flags=re.DOTALL)
        words = re.sub(r"<[^>]*>", " ", own)
        for english in ("Rent", "Mortgage", "the bank", "owner", "cards", "Whole"):
            assert not re.search(rf"\b{english}\b", words), (edition_id, english)
    assert "bestätigt" in text
