"""The table of sources, most trusted first: where each is fetched from, what reads it, and which facts it wins.

Crawl, command line, raw layer, forms, documents, records and coverage all iterate over it. `docs/sources.md` explains
how to add one.
"""

from __future__ import annotations

from typing import Final

from build_pipeline.normalize.books.character_options import class_options, feats, origins
from build_pipeline.normalize.books.character_options import classes as book_classes
from build_pipeline.normalize.books.creatures import stat_blocks
from build_pipeline.normalize.books.documents import srd_documents
from build_pipeline.normalize.books.equipment import equipment as book_equipment
from build_pipeline.normalize.books.equipment import magic_items as book_magic_items
from build_pipeline.normalize.books.equipment.poisons import poison_drafts
from build_pipeline.normalize.books.rules import rules as book_rules
from build_pipeline.normalize.books.rules.languages import language_drafts
from build_pipeline.normalize.books.rules.vocabularies import vocabulary_drafts
from build_pipeline.normalize.books.spells import spells as book_spells
from build_pipeline.normalize.books.tree import why_unread
from build_pipeline.normalize.character_options import character_options
from build_pipeline.normalize.creatures import creatures
from build_pipeline.normalize.equipment import equipment
from build_pipeline.normalize.homebrew import orcbrew
from build_pipeline.normalize.merging.authority import Wins
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.documents import dnd5e_documents, v1_documents, v2_documents
from build_pipeline.normalize.merging.forms import FORMS
from build_pipeline.normalize.rules import rules
from build_pipeline.normalize.source import Source
from build_pipeline.normalize.spells import spells
from build_pipeline.snapshot.web import dnd5e, open5e, srd

_API_READERS: Final = (spells.drafts, creatures.drafts, equipment.drafts, character_options.drafts, rules.drafts)
"""Each reads all APIs together: these are excerpts of the same books, and none can be read cleanly on its own."""

SOURCES: Final = (
    Source(
        name="srd",
        site="srd",
        base_url="https://raw.githubusercontent.com",
        fetch=srd.read_endpoint,
        endpoints=srd.ENDPOINTS,
        documents=srd_documents,
        why_unread=why_unread,
        drafts=(
            book_rules.rule_drafts,
            language_drafts,
            vocabulary_drafts,
            poison_drafts,
            book_classes.drafts,
            class_options.drafts,
            origins.drafts,
            feats.drafts,
            stat_blocks.drafts,
            book_spells.drafts,
            book_equipment.drafts,
            book_magic_items.drafts,
        ),
        forms=FORMS["srd"],
        wins=(
            Wins(
                (
                    *stat_blocks.AUTHORITATIVE_COLUMNS,
                    "character_options.features",
                    "character_options.progression",
                    "character_options.proficiencies",
                    "character_options.starting_equipment",
                    "character_options.benefits",
                    "character_options.traits",
                    "character_options.spell_list",
                    "character_options.option_of",
                ),
                "the book prints them in full; the transcriptions omit parts, and some add what it does not have",
                documents=("srd-2024", "srd-2014"),
            ),
            Wins(
                stat_blocks.AUTHORITATIVE_COLUMNS,
                "the book's own text over transcriptions of it, some of which add what it does not have",
                documents=SRD_DOCUMENTS,
            ),
            Wins(("spells.classes",), "the book's own lists; a longer one of another source is wrong"),
            Wins(
                tuple(
                    f"equipment.{column}"
                    for column in ("item_category", "rarity", "requires_attunement", "is_weapon", "is_armor")
                ),
                "the line under an item's name prints them",
            ),
        ),
    ),
    Source(
        name="open5e_v2",
        site="open5e",
        base_url="https://api.open5e.com",
        fetch=open5e.read_pages,
        endpoints=open5e.V2_ENDPOINTS,
        documents=v2_documents,
        drafts=_API_READERS,
        forms=FORMS["open5e_v2"],
    ),
    Source(
        name="open5e_v1",
        site="open5e",
        base_url="https://api.open5e.com",
        fetch=open5e.read_pages,
        endpoints=open5e.V1_ENDPOINTS,
        documents=v1_documents,
        drafts=_API_READERS,
        forms=FORMS["open5e_v1"],
    ),
    Source(
        name="dnd5e_api",
        site="dnd5e",
        base_url="https://www.dnd5eapi.co",
        fetch=dnd5e.read_endpoint,
        endpoints=dnd5e.ENDPOINTS,
        documents=dnd5e_documents,
        drafts=_API_READERS,
        forms=FORMS["dnd5e_api"],
        wins=(
            Wins(
                ("spells.classes",),
                "Open5e leaves the paladin out and counts domain and patron spells as the class's own",
                documents=("srd-2014",),
            ),
        ),
    ),
    Source(
        name="orcbrew",
        documents=orcbrew.orcbrew_documents,
        drafts=(orcbrew.drafts,),
        forms=FORMS["orcbrew"],
    ),
)

ENDPOINTS: Final = tuple(endpoint for source in SOURCES for endpoint in source.endpoints)
"""Every endpoint of every source."""
