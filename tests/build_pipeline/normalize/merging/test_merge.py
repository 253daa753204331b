"""Merging drafts of several sources: precedence, filled gaps, slugs and links."""

from typing import Any

import merging

from build_pipeline.normalize.merging.conformity import conforming
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.merging.family import Family
from build_pipeline.normalize.merging.links import describe_children, link
from build_pipeline.normalize.merging.merge import Entity, assign_slugs, merge


def draft(name: str, source: str = "open5e_v2", document: str = "srd-2014", **more: Any) -> Draft:
    entity_type = more.pop("entity_type", "spell")
    endpoint = f"{source}/{entity_type}/{more.pop('key', name.lower())}"
    return Draft(source, (endpoint,), entity_type, document, name, **more)


def merged(*drafts: Draft, combine: dict[str, Any] | None = None) -> list[Entity]:
    entities = merging.merged(drafts, **(combine or {}))
    assign_slugs(entities)
    link(entities)
    describe_children(entities)
    return entities


def test_the_better_source_wins_and_the_other_fills_gaps() -> None:
    v1 = draft("Spark", "open5e_v1", facts={"level": 2, "classes": ["wizard"]})
    v2 = draft("Spark", "open5e_v2", facts={"level": 1, "classes": None})
    (entity,) = merged(v1, v2)
    assert entity.facts == {"level": 1, "classes": ["wizard"]}
    assert entity.filled == {"classes": "open5e_v1"}
    assert entity.sources == ["open5e_v2", "open5e_v1"]


def test_facts_read_from_a_text_have_its_source() -> None:
    told = Family("spells", lambda _type, facts: {"attack_roll": "attack" in (facts["description"] or "")})
    v2, v1 = draft("Spark", facts={"level": 1}), draft("Spark", "open5e_v1", facts={"description": "Make an attack."})
    (entity,) = merge([v2, v1], told, merging.AUTHORITY)
    assert entity.from_text == {"attack_roll"}
    assert entity.filled == {"description": "open5e_v1", "attack_roll": "open5e_v1"}
    by_level = Family("spells", lambda _type, facts: {"ritual": facts["level"] == 1})
    (entity,) = merge([v2, v1], by_level, merging.AUTHORITY)
    assert (entity.from_text, entity.filled) == ({"ritual"}, {"description": "open5e_v1"})
    (entity,) = merge([draft("Spark", facts={"description": "Make an attack."}), v1], told, merging.AUTHORITY)
    assert (entity.from_text, entity.filled) == ({"attack_roll"}, {})


def test_a_shortened_text_keeps_its_source() -> None:
    shorter = Family(
        "spells", lambda _type, facts: {"description": (facts["description"] or "").removesuffix(" And so on:")}
    )
    v2, v1 = draft("Spark"), draft("Spark", "open5e_v1", facts={"description": "It burns. And so on:"})
    (entity,) = merge([v2, v1], shorter, merging.AUTHORITY)
    assert entity.facts["description"] == "It burns."
    assert (entity.from_text, entity.filled) == (set(), {"description": "open5e_v1"})


def test_an_empty_list_is_a_known_fact() -> None:
    v2 = draft("Spark", facts={"classes": []})
    v1 = draft("Spark", "open5e_v1", facts={"classes": ["wizard"]})
    (entity,) = merged(v2, v1)
    assert entity.facts["classes"] == []
    assert not entity.filled


def test_a_combined_column_has_the_values_of_both() -> None:
    v2 = draft("Spark", facts={"classes": ["bard"]})
    v1 = draft("Spark", "open5e_v1", facts={"classes": ["wizard"]})
    (entity,) = merged(v2, v1, combine={"classes": lambda a, b: sorted({*a, *b})})
    assert entity.facts["classes"] == ["bard", "wizard"]
    assert entity.filled == {"classes": "open5e_v1"}


def test_names_match_whatever_their_accents_and_quotes() -> None:
    entities = merged(draft("Hunter’s Märk"), draft("Hunter's Mark", "open5e_v1"))
    assert [e.id for e in entities] == ["spell/srd-2014/hunters-mark"]


def test_a_shared_key_merges_different_names() -> None:
    entities = merged(draft("Vættir", keys=("vttir",)), draft("Vaettir (Old)", "open5e_v1", keys=("vttir",)))
    assert len(entities) == 1
    assert entities[0].name == "Vættir"


def test_two_drafts_of_one_source_stay_separate_and_get_parent_slugs() -> None:
    resting = draft("Hit Points", key="a", parent_slug="resting")
    combat = draft("Hit Points", key="b", parent_slug="combat")
    assert {e.slug for e in merged(resting, combat)} == {"hit-points-resting", "hit-points-combat"}


def test_slugs_stay_unique_without_parents() -> None:
    entities = merged(draft("Twin", key="one"), draft("Twin", key="two"))
    assert sorted(e.slug for e in entities) == ["twin-one", "twin-two"]


def test_a_numbered_slug_is_unique() -> None:
    bolts = [draft("Fire Bolt", key=key) for key in ("fire", "Fire", "fire-2")]
    assert {e.slug for e in merged(*bolts)} == {"fire-bolt-fire-1", "fire-bolt-fire-3", "fire-bolt-fire-2"}


def test_the_same_name_in_two_documents_is_two_entities() -> None:
    assert len(merged(draft("Spark"), draft("Spark", "open5e_v1", document="srd-2024"))) == 2


def test_an_object_is_assigned_to_the_book_that_has_it() -> None:
    v2 = draft("Spark", document="a5e-ag")
    v1 = draft("Spark", "open5e_v1", document="a5e", also=("a5e-ag", "a5e-gpg"))
    kept = draft("Other", "open5e_v1", document="a5e", also=("a5e-ag", "a5e-gpg"))
    assert sorted(e.id for e in merged(v2, v1, kept)) == ["spell/a5e-ag/spark", "spell/a5e/other"]


def test_facts_shared_by_editions_complete_an_edition() -> None:
    shared = {"entity_type": "language", "also": ("srd-2014",)}
    core = draft("Elvish", document="core", facts={"script": "elvish"}, **shared)
    alone = draft("Void Speech", document="core", **shared)
    dnd5e = draft("Elvish", "dnd5e_api", entity_type="language", facts={"speakers": "Elves"})
    entities = merged(core, alone, dnd5e)
    assert sorted(e.id for e in entities) == ["language/core/void-speech", "language/srd-2014/elvish"]
    elvish = next(e for e in entities if e.name == "Elvish")
    assert elvish.facts == {"script": "elvish", "speakers": "Elves"}


def test_a_fact_taken_from_another_source_has_that_source() -> None:
    own = draft("Spark", facts={"level": 1, "range": "Self"})
    own.take("range", "Touch", "srd")
    own.take("level", 1, "srd")
    assert merged(own)[0].filled == {"range": "srd"}


def test_the_order_of_arrival_does_not_matter() -> None:
    drafts = [
        draft("Spark", facts={"level": 1}),
        draft("Spark", "open5e_v1", facts={"level": 2, "school": "evocation"}),
        draft("Spark", "dnd5e_api", facts={"school": "illusion", "range": "Touch"}),
    ]
    (forwards,), (backwards,) = merged(*drafts), merged(*reversed(drafts))
    assert forwards.facts == backwards.facts == {"level": 1, "school": "evocation", "range": "Touch"}
    assert forwards.filled == backwards.filled


def option(name: str, entity_type: str, **more: Any) -> Draft:
    return draft(name, entity_type=entity_type, **more)


def test_parents_list_children_of_all_documents() -> None:
    rogue = option("Rogue", "class", key="srd_rogue")
    thief = option(
        "Thief", "subclass", facts={"subclass_of": Reference(("class",), "Rogue", "open5e_v2/class/srd_rogue")}
    )
    knave = option(
        "Knave",
        "subclass",
        document="toh",
        facts={"subclass_of": Reference(("class",), "rogue"), "description": "Lies well. Runs fast."},
    )
    entities = {e.name: e for e in merged(rogue, thief, knave)}
    assert entities["Thief"].facts["subclass_of"] == {
        "id": "class/srd-2014/rogue",
        "name": "Rogue",
        "document_key": "srd-2014",
    }
    assert entities["Rogue"].facts["subclasses"] == [
        {"id": "subclass/toh/knave", "name": "Knave", "document_key": "toh", "description": "Lies well."},
        {"id": "subclass/srd-2014/thief", "name": "Thief", "document_key": "srd-2014", "description": None},
    ]


def test_a_reference_prefers_its_own_document_then_the_srds() -> None:
    srd, own = option("Elf", "race"), option("Elf", "race", document="toh")
    mine = option("Shade", "subrace", document="toh", facts={"subrace_of": Reference(("race",), "Elf")})
    other = option("Frost", "subrace", document="vom", facts={"subrace_of": Reference(("race",), "elf")})
    entities = {e.name: e for e in merged(srd, own, mine, other)}
    assert entities["Shade"].facts["subrace_of"]["id"] == "race/toh/elf"
    assert entities["Frost"].facts["subrace_of"]["id"] == "race/srd-2014/elf"


def test_an_unresolved_reference_keeps_its_text() -> None:
    (entity,) = merged(option("Golem Kin", "subrace", facts={"subrace_of": Reference(("race",), "warforged")}))
    assert entity.facts["subrace_of"] == {"id": None, "name": "warforged", "document_key": None}


def test_related_names_become_ids_in_the_same_document() -> None:
    grappled = option("Grappled", "condition")
    rule = option("Grappling", "rule", facts={"related": ["grappled", "Acrobatics"]})
    entities = {e.name: e for e in merged(grappled, rule)}
    assert entities["Grappling"].facts["related"] == ["condition/srd-2014/grappled", "Acrobatics"]


def test_related_entities_differ_from_the_entity() -> None:
    lute = option("Lute", "adventuring-gear")
    proficiency = option("Lute", "proficiency", facts={"related": ["Lute"]})
    poisons = option("Poisons", "rule", facts={"related": ["Poisons"]})
    related = {e.id: e.facts.get("related") for e in merged(lute, proficiency, poisons)}
    assert related["proficiency/srd-2014/lute"] == ["adventuring-gear/srd-2014/lute"]
    assert related["rule/srd-2014/poisons"] == []


def test_an_option_and_the_classes_that_offer_it_name_each_other() -> None:
    owners = [draft(name, entity_type="class", facts={"options": None}) for name in ("Warden", "Sentry")]
    offered = [Reference(("class",), "Warden"), Reference(("class",), "Sentry"), Reference(("class",), "Nobody")]
    reef = draft("Reef", entity_type="feat", facts={"option_of": offered, "description": "It holds. Well."})
    found = {entity.name: entity.facts for entity in merged(*owners, reef)}
    assert [(r["id"], r["name"]) for r in found["Reef"]["option_of"]] == [
        ("class/srd-2014/warden", "Warden"),
        ("class/srd-2014/sentry", "Sentry"),
        (None, "Nobody"),
    ]
    child = {"id": "feat/srd-2014/reef", "name": "Reef", "document_key": "srd-2014", "description": "It holds."}
    assert found["Warden"]["options"] == found["Sentry"]["options"] == [child]


def test_a_spell_list_has_ids_by_level_and_names_of_missing_spells() -> None:
    spells = [{"level": 1, "spells": [Reference(("spell",), "Fog"), Reference(("spell",), "Lost Fog")]}]
    warden = draft("Warden", entity_type="class", facts={"spell_list": spells})
    entities = merged(warden, draft("Fog"))
    assert entities[0].facts["spell_list"] == [{"level": 1, "spells": ["spell/srd-2014/fog", "Lost Fog"]}]


def test_the_spells_of_a_subclass_have_ids_and_levels() -> None:
    unlinked = {"id": None, "level": None, "class_level": 3, "choice": None}
    spells = [{**unlinked, "name": "fog"}, {**unlinked, "name": "lost fog"}]
    oath = draft("Oath of Reeds", entity_type="subclass", facts={"subclass_spells": spells})
    (found,) = (e for e in merged(oath, draft("Fog", facts={"level": 2})) if e.entity_type == "subclass")
    assert found.facts["subclass_spells"] == [
        {**unlinked, "name": "Fog", "id": "spell/srd-2014/fog", "level": 2},
        {**unlinked, "name": "Lost Fog"},
    ]


def test_a_spell_that_names_a_class_is_on_its_list() -> None:
    spells = [{"level": 1, "spells": [Reference(("spell",), "Fog")]}]
    warden = draft("Warden", entity_type="class", facts={"spell_list": spells})
    named = [
        draft(name, facts={"level": level, "classes": ["warden"]})
        for name, level in (("Fog", 1), ("Bog", 1), ("Flood", 3), ("Rain", None))
    ]
    elsewhere = draft("Hail", document="red-book", facts={"level": 1, "classes": ["warden"]})
    found = merged(warden, *named, elsewhere)[0]
    assert found.facts["spell_list"] == [
        {"level": 1, "spells": ["spell/srd-2014/bog", "spell/srd-2014/fog"]},
        {"level": 3, "spells": ["spell/srd-2014/flood"]},
    ]
    assert "spell_list" in found.from_text


def test_references_within_facts_have_the_declared_form() -> None:
    def conforming_facts(**facts: Any) -> dict[str, Any]:
        (found,) = conforming([draft("Reef", entity_type="feat", facts=facts)], Problems())
        return found.facts

    reference = Reference(("class",), "Warden")
    assert conforming_facts(option_of=[reference])["option_of"] == [reference]
    assert conforming_facts(option_of=[3])["option_of"] is None
    warden = draft("Warden", entity_type="class", facts={"spell_list": [{"level": 1, "spells": [reference]}]})
    assert next(iter(conforming([warden], Problems()))).facts["spell_list"]


def test_a_draft_without_a_label_is_dropped_and_a_long_name_is_cut() -> None:
    problems = Problems()
    longest, longer = draft("x" * 200, key="a"), draft(f"{'x' * 199} {'x' * 9}", key="b")
    nameless, nowhere = draft(" ", key="c"), draft("Reef", document="", key="d")
    kept = list(conforming([nameless, longest, nowhere, longer], problems))
    assert [each.name for each in kept] == ["x" * 200, "x" * 199]
    assert [(each["raw"].rpartition("/")[2], each["reason"]) for each in problems.entries] == [
        *(("c", "no name"), ("d", "no document_key")),
        ("b", "its name has 209 characters; it is cut after 200"),
    ]


def test_a_fact_of_another_type_than_its_column_is_dropped_and_named() -> None:
    problems = Problems()
    (spark,) = conforming([draft("Spark", facts={"level": "one", "ritual": True})], problems)
    assert spark.facts == {"level": None, "ritual": True}
    assert ["level" in each["reason"] for each in problems.entries] == [True]


def test_a_shared_mark_precedes_the_name_and_is_not_published() -> None:
    here = draft("Cover", key="a", parent_slug="combat", marks=("behindawall",))
    there = draft("Cover", key="b", parent_slug="glossary", marks=("protects",))
    renamed = draft("Shelter", "open5e_v1", marks=("protects",))
    entities = {e.id: e for e in merged(here, there, renamed)}
    assert entities["spell/srd-2014/cover-glossary"].sources == ["open5e_v2", "open5e_v1"]
    assert entities["spell/srd-2014/cover-combat"].sources == ["open5e_v2"]
    assert all("protects" not in entity.keys for entity in entities.values())


def test_certain_matches_precede_probable_ones() -> None:
    """The first of v1's has the name, but the second has name and mark."""
    only = draft("Cover", marks=("behindawall",))
    table = draft("Cover", "open5e_v1", key="a")
    text = draft("Cover", "open5e_v1", key="b", marks=("behindawall",))
    joined = next(e for e in merged(only, table, text) if len(e.drafts) == 2)
    assert [d.raw[0] for d in joined.drafts] == ["open5e_v2/spell/cover", "open5e_v1/spell/b"]


def test_entities_of_the_last_source_take_no_existing_slug() -> None:
    known = draft("Cover", "open5e_v1", key="a", marks=("behindawall",), keys=("shelter",))
    same = draft("Taking Cover", "srd", key="s1", marks=("behindawall",), parent_slug="combat")
    homonym = draft("Cover", "srd", key="s2", parent_slug="glossary", marks=("protects",))
    alias = draft("Shelter", "srd", key="s3", parent_slug="camping")
    found = {e.name: e.slug for e in merged(known, same, homonym, alias)}
    assert found == {"Taking Cover": "taking-cover", "Cover": "cover", "Shelter": "shelter-camping"}


def test_an_entity_renamed_to_a_homonym_keeps_its_slug() -> None:
    saves = draft("Saving Throws", key="a")
    of_spells = draft("Spell Saving Throws", key="b", marks=("manyspells",))
    printed = draft("Saving Throws", "srd", key="s", marks=("manyspells",), parent_slug="casting")
    found = {e.slug: e.name for e in merged(saves, of_spells, printed)}
    assert found == {"saving-throws": "Saving Throws", "spell-saving-throws": "Saving Throws"}


def rule(name: str, key: str, **facts: Any) -> Draft:
    return draft(name, entity_type="rule", key=key, parent_slug=key, facts={"rule_type": "rule", **facts})


def test_a_related_name_means_a_child_or_else_the_same_chapter() -> None:
    chapter = rule("Fighting", "c", related=["Range"], section="Combat")
    child = rule("Range", "d", parent=Reference(("rule",), "Fighting"), section="Combat")
    other = rule("Range", "e", section="Spells")
    spell = rule("Casting", "f", related=["Range"], section="Spells")
    found = {e.id: e for e in merged(other, child, chapter, spell)}
    assert found["rule/srd-2014/fighting"].facts["related"] == ["rule/srd-2014/range-d"]
    assert found["rule/srd-2014/casting"].facts["related"] == ["rule/srd-2014/range-e"]


def test_a_related_name_means_the_nearest_rule_or_else_the_first() -> None:
    origin = rule("Bows", "o", related=["Range", "Speed"], headings=["gear", "arms"])
    near = rule("Range", "n", headings=["gear", "arms", "ways"], reading_order=9)
    far = rule("Range", "f", headings=["gear", "boats"], reading_order=1)
    late, early = (rule("Speed", key, headings=["beasts"], reading_order=place) for key, place in (("l", 5), ("e", 2)))
    found = {e.id: e for e in merged(origin, far, near, late, early)}
    assert found["rule/srd-2014/bows"].facts["related"] == ["rule/srd-2014/range-n", "rule/srd-2014/speed-e"]


def test_a_related_reference_may_name_its_raw_object() -> None:
    exact = Reference(("rule",), "Range", "open5e_v2/rule/e")
    chapter = rule("Fighting", "c", related=[exact, Reference(("rule",), "Nothing")])
    found = {e.id: e for e in merged(chapter, rule("Range", "d"), rule("Range", "e"))}
    assert found["rule/srd-2014/fighting"].facts["related"] == ["rule/srd-2014/range-e", "Nothing"]
