"""The shapes of OrcBrew files: books, names, kinds, keys."""

from __future__ import annotations

import pytest
from brew import K, brew, keys

from build_pipeline.snapshot.orcbrew.edn import read
from build_pipeline.snapshot.orcbrew.edn_values import CompoundKey

ONE = ':orcpub.dnd.e5/languages {:a {:key :a :name "A" :option-pack "Pack"}}'


@pytest.mark.parametrize(
    ("text", "books"),
    [
        (f"{{{ONE}}}", ["Pack"]),
        (f'{{{ONE} :orcpub.dnd.e5/feats {{:f {{:key :f :name "F" :option-pack "Other"}}}}}}', ["test"]),
        (f'{{"Book" {{{ONE}}} "Empty" {{}}}}', ["Book", "Empty"]),
        (f'{{"Book" {{{ONE}}} "Book" {{:orcpub.dnd.e5/languages {{:b {{:key :b :name "B"}}}}}}}}', ["Book"]),
        (f"{{:orcbrew/format-version 2 :orcbrew/content {{{ONE}}}}}", ["Pack"]),
        (f'{{:orcbrew/format-version 2 :orcbrew/content {{"Book" {{{ONE}}}}}}}', ["Book"]),
        (f"{{:orcpub.dnd.e5/plugins {{{ONE}}}}}", ["Pack"]),
        (f'{{"" {{{ONE}}}}}', ["Pack"]),
        (f"{{nil {{{ONE}}} :my-book {{{ONE}}}}}", ["Pack", "Pack 2"]),
        ('{" " {:orcpub.dnd.e5/languages {:a {:key :a :name "A"}}}}', ["Unnamed Content"]),
        (f'{{"Line\\nbreak" {{{ONE}}}}}', ["Line break"]),
        (f"{{1 {{{ONE}}} 2 {{{ONE}}} 3 {{{ONE}}}}}", ["Pack", "Pack 2", "Pack 3"]),
        ('{"B" #:orcpub.dnd.e5{:languages {:a {:key :a :name "A"}}}}', ["B"]),
    ],
)
def test_books_are_read(text: str, books: list[str]) -> None:
    file = brew(text)
    assert [book.name for book in file.books] == books
    assert "a" in keys(file)
    assert not file.damaged


def test_edn_inside_a_string_is_read() -> None:
    text = ONE.replace('"', '\\"')
    file = brew(f'"{{{text}}}"')
    assert keys(file) == ["a"]
    assert [f.severity for f in file.findings] == ["warning"]


def test_content_after_the_end_is_reported_and_read() -> None:
    file = brew(f'{{{ONE}}}\n{{"B" {{:orcpub.dnd.e5/feats {{:f {{:key :f :name "F"}}}}}}}}')
    assert keys(file) == ["a", "f"]
    assert [(f.line, f.column, f.severity) for f in file.findings] == [(2, 1, "damage")]


@pytest.mark.parametrize("text", ["nil", "[1 2]", "foo", '{"Book" "text"}', "{:orcbrew/content 3}"])
def test_a_file_without_books_is_damaged(text: str) -> None:
    file = brew(text)
    assert file.damaged
    assert not file.entities


def test_misspelt_kinds_are_read_with_a_remark() -> None:
    file = brew('{:spells {:a {:key :a :name "A"}} "orcpub.dnd.e5/spells" {:b {:key :b :name "B"}}}')
    assert keys(file, "spells") == ["a", "b"]
    assert [(f.line, f.column, f.kind) for f in file.findings] == [(1, 2, "spells"), (1, 35, "spells")]


def test_duplicates_are_reported() -> None:
    same = '{:key :a :name "A" :option-pack "P"}'
    other = '{:key :a :name "Another A" :option-pack "P"}'
    file = brew(f"{{:orcpub.dnd.e5/feats {{:a {same} :a {same}}} :orcpub.dnd.e5/feats {{:a {other}}}}}")
    assert [e.item for e in file.entities] == [brew(f"{{:orcpub.dnd.e5/feats {{:a {other}}}}}").entities[0].item]
    damages = [f for f in file.findings if f.severity == "damage"]
    assert [(f.key, "1:24" in f.message or "1:64" in f.message) for f in damages] == [("a", True)]


def test_disabled_books_and_entities_are_marked() -> None:
    file = brew(
        '{"Off" {:disabled? true :orcpub.dnd.e5/feats {:a {:key :a :name "A"}}}'
        ' "On" {:disabled? nil :orcpub.dnd.e5/feats'
        ' {:b {:key :b :name "B" :disabled? true} :c {:key :c :name "C" :disabled? false}}}}'
    )
    assert {e.key: e.disabled for e in file.entities} == {"a": True, "b": True, "c": False}


def test_words_of_a_damaged_text_do_not_become_fields() -> None:
    file = brew('{:orcpub.dnd.e5/feats {:a {:key :a :name "A" "b" " c"} :d {:key :d :name "D"}}}')
    assert keys(file) == ["d"]
    assert [(f.column, f.severity, f.key) for f in file.findings] == [(24, "damage", "a")]


@pytest.mark.parametrize("name", ["“A”", "“A b”", "“A b c”"])
def test_typographic_quotes_are_named(name: str) -> None:
    file = brew(f'{{:orcpub.dnd.e5/feats {{:a {{:key :a :name {name}}} :d {{:key :d :name "D"}}}}}}')
    assert keys(file) == ["d"]
    assert {"typographic" in f.message for f in file.findings if f.key} == {True}


def test_keys_are_distinguished_as_in_edn() -> None:
    entries = " ".join(f'{key} {{:name "{key}"}}' for key in ("1", "true", "sym", "nil", "[1 2]"))
    file = brew(f"{{:orcpub.dnd.e5/spells {{{entries}}}}}")
    assert keys(file) == ["1", "true", "sym", "nil", "[1 2]"]
    assert not file.damaged


def test_values_that_differ_only_in_edn_are_different() -> None:
    file = brew('{:orcpub.dnd.e5/spells {:a {:name "A" :ritual true} :a {:name "A" :ritual 1}}}')
    assert [f.message for f in file.findings if "different content" in f.message]
    assert read("{true :a 1 :b}").forms[0] == {CompoundKey("true"): K("a"), 1: K("b")}
    assert read("{true :a 1 :b}").notes == []


@pytest.mark.parametrize(
    ("text", "found", "remark"),
    [
        ("{orcpub.dnd.e5/feats {:a %s}}", [("test", "feats")], "orcpub.dnd.e5/feats should be :orcpub.dnd.e5/feats"),
        ("{:typo.dnd/feats {:a %s}}", [("test", "feats")], ":typo.dnd/feats should be :orcpub.dnd.e5/feats"),
        (
            "{:orcpub.dnd.e5/spells {:orcpub.dnd.e5/feats {:a %s}}}",
            [("test", "feats")],
            ":orcpub.dnd.e5/feats stands inside spells; it is read as a kind of its own",
        ),
        (
            '{"One" {:orcpub.dnd.e5/spells {} "Two" {:orcpub.dnd.e5/feats {:a %s}}}}',
            [("Two", "feats")],
            '"Two" stands inside another book; it is read as one',
        ),
        ("Hello, mine: {:orcpub.dnd.e5/feats {:a %s}}", [("test", "feats")], "the text before the content is left out"),
        ("<pre>{:orcpub.dnd.e5/feats {:a %s}}</pre>", [("test", "feats")], "a web page stands around the content"),
    ],
)
def test_content_is_read_wherever_it_stands(text: str, found: list[tuple[str, str]], remark: str) -> None:
    file = brew(text % '{:key :a :name "A"}')
    assert [(entity.book.name, entity.kind) for entity in file.entities] == found
    assert [f.message[: len(remark)] for f in file.findings] == [remark]


def test_a_word_without_a_colon_is_named() -> None:
    (finding,) = brew('{:orcpub.dnd.e5/monsters {:a {:key :a :name "A" :skills {stealth 4}}}}').findings
    assert (finding.column, finding.key) == (58, "a")
    assert finding.message == "the word `stealth` stands without a colon or quotes; it is not read"
