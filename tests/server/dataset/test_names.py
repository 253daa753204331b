"""Folding names and slugs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.names import normalize_name, slugify


@pytest.mark.parametrize(
    ("name", "folded", "slug"),
    [
        ("Fireball", "fireball", "fireball"),
        ("  Hunter’s   Mark ", "hunter's mark", "hunters-mark"),
        ("Hunter`s\tMARK\n", "hunter's mark", "hunters-mark"),
        ("Blindness/Deafness", "blindness/deafness", "blindness-deafness"),
        ("Vættir", "vaettir", "vaettir"),
        ("Señor Ñandú", "senor nandu", "senor-nandu"),
        ("Half–Elf", "half-elf", "half-elf"),
        ("STRASSE ß", "strasse ss", "strasse-ss"),
        ("ﬁre", "fire", "fire"),
        ("Zauber 3½", "zauber 31⁄2", "zauber-312"),
    ],
)
def test_names_are_folded(name: str, folded: str, slug: str) -> None:
    assert normalize_name(name) == folded
    assert slugify(name) == slug


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert normalize_name(normalize_name(text)) == normalize_name(text)


@given(st.text(st.characters(codec="ascii")))
def test_ascii_folds_like_any_other_text(text: str) -> None:
    assert normalize_name(text) == normalize_name(f"{text} é")[: -len("e")].strip()


@given(st.text())
def test_slugs_are_lower_case_ascii(text: str) -> None:
    slug = slugify(text)
    assert all(c.isascii() and (c.isdigit() or c.islower() or c == "-") for c in slug)
    assert slugify(slug) == slug
