"""Things that only closed books have: their list, finding their names in texts, and what answers say."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.dataset.names import normalize_name
from server.library.closed import content as closed_content
from server.library.closed.content import ASKED_AS, closed_things, declared
from server.library.library import Library
from server.library.requests.request import Request

KINDS = {
    *("creature", "spell", "class", "subclass", "feat", "background", "race", "magic item", "invocation", "maneuver"),
    *("fighting style", "setting", "plane", "person", "deity", "rule", "optional rule", "table"),
}
BEHOLDER = "Beholder (creature, Monster Manual)"


def test_each_name_is_listed_once_with_its_kind() -> None:
    books = declared()["books"]
    assert {kind for kinds in books.values() for kind in kinds} <= KINDS
    named = [
        (kind, normalize_name(name)) for kinds in books.values() for kind, listed in kinds.items() for name in listed
    ]
    assert sorted(set(named)) == sorted(named)
    assert {normalize_name(name) for name in declared()["everyday"]} <= {name for _, name in named}
    assert ASKED_AS.keys() <= KINDS


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Mind Flayer", ["Mind Flayer"]),
        ("how do two mind flayers fight a beholder?", ["Mind Flayer", "Beholder"]),
        ("mindflayers", ["Mind Flayer"]),
        ("a Beholder's lair, the beholder", ["Beholder"]),
        ("the mind of a flayer", []),
        ("Lucky", ["Lucky"]),
        ("the lucky feat", ["Lucky"]),
        ("lucky spell", []),
        ("abjurer", ["Abjurer", "Abjurer"]),
        ("the hexblade", ["Hexblade"]),
        ("the Feywild", ["Feywild"]),
        ("a feywild ambusher", []),
        ("treasure hoard table", ["Treasure Hoard"]),
        ("the abjurer subclass", ["Abjurer"]),
        ("how does flanking work", ["Flanking"]),
        ("what are the rules for lingering injuries?", ["Lingering Injury"]),
        ("wild magic surge table", ["Wild Magic Surge"]),
        ("how do bastions work", ["Bastion"]),
        ("chase rules", ["Chase"]),
        ("can I chase a bastion of the faith", []),
        ("how do I disarm a trap", []),
        ("the bladesinger's silvery barbs", ["Bladesinger", "Silvery Barbs"]),
        ("yuan-ti abominations", ["Yuan-ti Abomination"]),
        ("what a lucky day", []),
        ("", []),
        ("fire*", []),
    ],
)
def test_names_of_closed_content_are_found_in_texts(text: str, named: list[str]) -> None:
    assert [thing.name for thing in closed_things(text)] == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("vengeance", ["Oath of Vengeance"]),
        ("the ancients", ["Oath of the Ancients"]),
        ("war cleric", ["War Domain"]),
        ("tempest subclass", ["Tempest Domain"]),
        ("druid of the dreams", []),
        ("war paladin", []),
        ("war and peace", []),
        ("battle master", ["Battle Master"]),
        ("cleric", []),
    ],
)
def test_subclasses_are_found_by_their_own_words_where_a_subclass_is_asked_for(text: str, named: list[str]) -> None:
    assert [thing.name for thing in closed_things(text, subclass=True)] == named
    assert [thing.name for thing in closed_things(text)] == (named if text == "battle master" else [])


def test_a_look_up_of_a_class_by_a_subclass_own_word_says_which_closed_book_has_it(tiny_library: Library) -> None:
    closed = "Oath of Vengeance (subclass, Player's Handbook) is not open content."
    assert closed in tiny_library.find(Request("character_option", kind="class", name="vengeance"))["message"]
    assert closed not in tiny_library.find(Request("spell", name="vengeance"))["message"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("beholder", f"No document of this library has it. {BEHOLDER} is not open content."),
        (
            ("Beholder", "Mind Flayer"),
            f"any of them. {BEHOLDER} and Mind Flayer (creature, Monster Manual) are not open content.",
        ),
        (("Beholder", "Wraith"), f'Not found: "Beholder". {BEHOLDER} is not open content.'),
    ],
)
def test_a_look_up_says_which_closed_book_has_it(tiny_library: Library, name: str | tuple[str, ...], says: str) -> None:
    assert tiny_library.find(Request(family="creature", name=name))["message"].endswith(says)


def test_a_search_says_which_closed_book_has_it(tiny_library: Library) -> None:
    said = tiny_library.find(Request(family="all", search="a beholder that shoots fire"))["message"]
    assert f"{BEHOLDER} is not open content." in said
    said = tiny_library.find(Request(family="all", search="a wraith that shoots fire"))["message"]
    assert "open content" not in str(said)


def test_a_search_without_results_says_which_closed_book_has_it(tiny_library: Library) -> None:
    asked = Request(family="creature", search="beholders", filters={"cr": 29.0})
    assert f"{BEHOLDER} is not open content." in tiny_library.find(asked)["message"]


@pytest.fixture
def declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that puts a list in the place of the one of closed things."""

    def forget() -> None:
        for kept in (closed_content.declared, closed_content._known):
            kept.cache_clear()

    def put(listed: str) -> None:
        file = tmp_path / "list.toml"
        file.write_text(listed, encoding="utf-8")
        monkeypatch.setattr(closed_content, "FILE", file)
        forget()

    yield put
    forget()


@pytest.fixture
def listed(declare: Callable[[str], None]) -> None:
    """A list of names, or beginnings of names, of things in the tiny library."""
    declare('everyday = []\n[subclasses]\n[books."Player\'s Handbook"]\nspell = ["Fireball", "Delayed"]\n')


@pytest.mark.usefixtures("listed")
def test_a_name_that_the_library_has_is_not_closed(tiny_library: Library) -> None:
    for asked in (Request(family="spell", name="fireball"), Request(family="spell", search="fireball")):
        assert "open content" not in str(tiny_library.find(asked)["message"])


@pytest.mark.usefixtures("listed")
def test_a_name_that_begins_other_names_is_explained(tiny_library: Library) -> None:
    answer = tiny_library.find(Request(family="spell", name="delayed"))
    assert [record["name"] for record in answer["results"]] == ["Delayed Blast Fireball"]
    assert answer["message"] == (
        'None is called "delayed"; found by its words: Delayed Blast Fireball. '
        "Delayed (spell, Player's Handbook) is not open content."
    )


@pytest.fixture
def fireballs(declare: Callable[[str], None]) -> None:
    """A list of a feat and a creature with the name of a spell of the tiny library."""
    declare(
        'everyday = ["Fireball"]\n[subclasses]\n[books."Player\'s Handbook"]\nfeat = ["Fireball"]\n'
        '[books."Monster Manual"]\ncreature = ["Fireball"]\n'
    )


@pytest.mark.usefixtures("fireballs")
def test_what_exists_only_as_another_kind_is_closed_where_that_kind_is_asked_for(tiny_library: Library) -> None:
    feat = tiny_library.find(Request("character_option", kind="feat", name="fireball"))["message"]
    assert feat == (
        'Found no feats named "fireball". But lookup_spell(name="fireball") finds 4. '
        "Fireball (feat, Player's Handbook) is not open content."
    )
    searched = tiny_library.find(Request("creature", search="fireball"))["message"]
    assert "Fireball (creature, Monster Manual) is not open content." in searched
    for asked in (
        Request("spell", name="fireball"),
        Request("spell", search="fireball"),
        Request("character_option", kind="race", name="fireball"),
        Request("all", search="fireball"),
    ):
        assert "open content" not in str(tiny_library.find(asked)["message"])
