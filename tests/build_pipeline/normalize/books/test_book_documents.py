from __future__ import annotations

from books import book_layer
from merging import documents_of

CREDIT = (
    'This work includes material from the System Reference Document 9.1.2 ("SRD 9.1.2") by its makers, available at '
    "https://example.org/srd. It is licensed under a licence, available at https://example.org/licence."
)


def test_the_credit_is_quoted_from_the_legal_page() -> None:
    linked = CREDIT.replace("https://example.org/srd", "<https://example.org/srd>")
    page = f"# Legal Information\n\nGive this credit:\n\n> {linked}\n\nNo other.\n"
    meta = documents_of(book_layer("srd-2024", page))["srd-2024"]
    assert meta.attribution == CREDIT
    assert meta.name == "System Reference Document 9.1.2"
    assert (meta.license, meta.game_system) == ("Creative Commons Attribution 4.0", "5e-2024")


def test_a_book_without_its_legal_page_gives_no_document() -> None:
    assert documents_of(book_layer("srd-2024", "# Playing the Game\n\nDice.\n")) == {}


def test_the_apis_complete_the_book_and_their_name_for_it_is_an_alias(raw_of) -> None:
    document = {
        "key": "srd-2024",
        "name": "System Reference Document 9.1",
        "display_name": "The Rules",
        "licenses": [{"name": "Creative Commons Attribution 4.0", "key": "cc-by-40"}],
        "publisher": {"name": "Makers", "key": "makers"},
        "gamesystem": {"name": "5th Edition 2024", "key": "5e-2024"},
        "permalink": "https://example.org",
        "author": "Somebody",
        "desc": "Rules.",
        "publication_date": "2025-01-01T00:00:00",
    }
    raw = book_layer("srd-2024", f"# Legal Information\n\n> {CREDIT}\n", raw_of({"open5e_v2/documents": [document]}))
    meta = documents_of(raw)["srd-2024"]
    assert (meta.name, meta.author, meta.attribution) == ("System Reference Document 9.1.2", "Somebody", CREDIT)
    assert "System Reference Document 9.1" in meta.aliases
