"""What is a chapter of a book stands below nothing."""

from __future__ import annotations

from build_pipeline.normalize.merging.draft import Draft, Reference
from build_pipeline.normalize.rules.chapters import with_chapters_of_books


def rule(source: str, name: str, *, below: str | None = None, headings: tuple[str, ...] = ()) -> Draft:
    parent = Reference(("rule",), below) if below else None
    facts = {"parent": parent, "headings": list(headings)}
    return Draft(source, (f"{source}/{name}",), "rule", "red-book", name, facts=facts)


def test_what_other_sources_put_above_a_chapter_does_not_count() -> None:
    drafts = [
        rule("srd", "Odd Jars"),
        rule("srd", "Lids", headings=("odd jars",)),
        rule("open5e_v2", "Odd jars", below="Kitchen"),
        rule("open5e_v2", "Lids", below="Odd Jars"),
    ]
    below = [draft.facts["parent"] and draft.facts["parent"].name for draft in with_chapters_of_books(drafts)]
    assert below == [None, None, None, "Odd Jars"]
