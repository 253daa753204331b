"""Rules: the layouts of three APIs become one set of named, nested rules."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.rules.outline import opening, split_at_headings

SWIM = "Whoever falls overboard in armor sinks like a stone unless somebody throws a rope in time."
DIVE = "A diver counts heartbeats: after forty of them the lungs burn and panic sets in for good."
ROPE = "A rope of hemp holds three sailors, one of silk holds four, and neither holds a walrus."
STORM = "When the storm breaks, each sailor ties down something or is blown off the deck together with it."
SHIPS = "Everything that happens between two harbours is told here, from fair weather to foul."


def ruleset(name: str, text: str = SHIPS) -> dict[str, Any]:
    return {"key": f"srd_{name.lower()}", "name": name, "desc": text, "document": {"key": "srd-2014"}, "rules": []}


def rule(key: str, name: str, text: str, *, level: int = 2, index: int = 1) -> dict[str, Any]:
    return {
        "key": key,
        "name": name,
        "desc": text,
        "index": index,
        "initialHeaderLevel": level,
        "document": "srd-2014",
        "ruleset": key.rpartition("_")[0],
    }


def v1_section(name: str, text: str, parent: str) -> dict[str, Any]:
    return {"slug": name.lower(), "name": name, "desc": text, "parent": parent, "document__slug": "wotc-srd"}


def api_section(index: str, name: str, text: str) -> dict[str, Any]:
    return {"index": index, "name": name, "desc": f"## {name}\n\n{text}"}


def api_chapter(name: str, *sections: dict[str, Any]) -> dict[str, Any]:
    return {"index": name.lower(), "name": name, "desc": f"# {name}\n", "subsections": list(sections)}


class TestLayout:
    def test_rules_have_chapter_ruleset_and_parents(self, raw_of, rules_of):
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [
                        rule("srd_ships_diving", "Diving", DIVE, level=3, index=2),
                        rule("srd_ships_swimming", "Swimming", SWIM, index=1),
                        rule("srd_ships_storms", "Storms", STORM, index=3),
                    ],
                    "open5e_v1/sections": [
                        v1_section("Ships", f"{SHIPS}\n\n## Swimming\n\n{SWIM}\n\n### Diving\n\n{DIVE}", "Seafaring")
                    ],
                }
            )
        )
        diving = found["rule/srd-2014/diving"].facts
        assert diving["section"] == "Seafaring"
        assert diving["headings"] == ["seafaring", "ships", "swimming"]
        assert diving["parent"]["id"] == "rule/srd-2014/swimming"
        ships = found["rule/srd-2014/ships"]
        assert ships.facts["related"] == ["rule/srd-2014/swimming", "rule/srd-2014/storms"]
        assert ships.sources == ["open5e_v2", "open5e_v1"]
        assert found["rule/srd-2014/storms"].facts["parent"]["id"] == ships.id
        assert len(found) == 4

    def test_a_bold_line_that_is_a_heading_elsewhere_is_a_heading(self, raw_of, rules_of):
        text = f"{SWIM}\n\n**Diving**\n\n{DIVE}\n\n**Knots**\n\n{ROPE}"
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [rule("srd_ships_swimming", "Swimming", text)],
                    "open5e_v1/sections": [v1_section("Ships", f"{SHIPS}\n\n## Diving\n\n{DIVE}", "Seafaring")],
                }
            )
        )
        assert found["rule/srd-2014/diving"].facts["parent"]["id"] == "rule/srd-2014/swimming"
        assert "rule/srd-2014/knots" not in found

    def test_a_wrongly_pasted_name_is_replaced_by_the_printed_heading(self, raw_of, rules_of):
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [rule("srd_ships_diving", "Swimming", DIVE)],
                    "dnd5e_api/2014/rules": [api_chapter("Sea", {"index": "water", "name": "Water"})],
                    "dnd5e_api/2014/rule-sections": [api_section("water", "Water", f"### Deep Diving\n\n{DIVE}")],
                }
            )
        )
        assert found["rule/srd-2014/deep-diving"].facts["section"] == "Sea"
        assert "rule/srd-2014/swimming" not in found

    @pytest.mark.parametrize(
        ("key", "name", "right"),
        [
            ("srd_ships_rope-work", "Swimming", "Rope Work"),
            ("srd_ships_ropes", "Ropes and Other Tackle", "Ropes and Other Tackle"),
            ("srd_ships_prerequistes", "Prerequisites", "Prerequisites"),
        ],
    )
    def test_without_a_heading_the_key_corrects_only_very_different_names(self, raw_of, rules_of, key, name, right):
        raw = raw_of({"open5e_v2/rulesets": [ruleset("Ships")], "open5e_v2/rules": [rule(key, name, ROPE)]})
        assert right in {entity.name for entity in rules_of(raw).values()}

    def test_a_wrongly_pasted_text_is_replaced_by_the_other_sources(self, raw_of, rules_of):
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [
                        rule("srd_ships_swimming", "Swimming", SWIM),
                        rule("srd_ships_diving", "Diving", SWIM, index=2),
                    ],
                    "open5e_v1/sections": [
                        v1_section("Ships", f"{SHIPS}\n\n## Swimming\n\n{SWIM}\n\n## Diving\n\n{DIVE}", "Seafaring")
                    ],
                }
            )
        )
        assert found["rule/srd-2014/diving"].facts["description"] == DIVE
        assert found["rule/srd-2014/swimming"].facts["description"] == SWIM

    def test_rules_that_v2_lacks_are_cut_from_other_sources_sections(self, raw_of, rules_of):
        text = f"{SHIPS}\n\n### Storms\n\n{STORM}\n\n### Swimming\n\n{SWIM}\n\n#### Ropes\n\n{ROPE}"
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [rule("srd_ships_swimming", "Swimming", SWIM)],
                    "dnd5e_api/2014/rules": [api_chapter("Sea", {"index": "voyages", "name": "Voyages"})],
                    "dnd5e_api/2014/rule-sections": [api_section("voyages", "Voyages", text)],
                }
            )
        )
        assert found["rule/srd-2014/storms"].facts["description"] == STORM
        assert found["rule/srd-2014/storms"].facts["parent"]["id"] == "rule/srd-2014/ships"
        ropes = found["rule/srd-2014/ropes"].facts
        assert (ropes["parent"]["name"], ropes["section"]) == ("Swimming", "Sea")
        # The section of another name is the ruleset whose text it opens with.
        assert found["rule/srd-2014/ships"].sources == ["open5e_v2", "dnd5e_api"]
        assert "rule/srd-2014/voyages" not in found

    def test_headings_inside_a_rule_become_rules_unless_the_name_exists(self, raw_of, rules_of):
        text = f"{SWIM}\n\n### Diving\n\n{DIVE}\n\n### Storms\n\n{ROPE}"
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [
                        rule("srd_ships_swimming", "Swimming", text),
                        rule("srd_ships_storms", "Storms", STORM, index=2),
                    ],
                }
            )
        )
        assert found["rule/srd-2014/swimming"].facts["description"] == text
        assert found["rule/srd-2014/diving"].facts["parent"]["id"] == "rule/srd-2014/swimming"
        assert found["rule/srd-2014/storms"].facts["description"] == STORM

    def test_a_chapter_without_a_text_lists_its_sections(self, raw_of, rules_of):
        sections = [{"index": "a", "name": "Anchors"}, {"index": "b", "name": "Barnacles"}]
        found = rules_of(raw_of({"dnd5e_api/2014/rules": [api_chapter("Sea", *sections)]}))
        assert found["rule/srd-2014/sea"].facts["description"] == "Sea contains these rules: Anchors, Barnacles."

    def test_a_chapter_is_not_merged_with_a_rule_of_the_same_name(self, raw_of, rules_of):
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships"), ruleset("Crews", SWIM)],
                    "open5e_v2/rules": [
                        rule("srd_ships_gear", "Gear", ROPE),
                        rule("srd_crews_gear", "Gear", DIVE),
                    ],
                    "dnd5e_api/2014/rules": [api_chapter("Gear", {"index": "a", "name": "Anchors"})],
                }
            )
        )
        assert {"rule/srd-2014/gear", "rule/srd-2014/gear-ships", "rule/srd-2014/gear-crews"} <= set(found)

    def test_a_text_links_to_the_sections_that_it_quotes(self, raw_of, rules_of):
        found = rules_of(
            raw_of(
                {
                    "open5e_v2/rulesets": [ruleset("Ships")],
                    "open5e_v2/rules": [
                        rule("srd_ships_swimming", "Swimming", "See “Storms” and “Reefs”."),
                        rule("srd_ships_storms", "Storms", STORM),
                    ],
                }
            )
        )
        assert found["rule/srd-2014/swimming"].facts["related"] == ["rule/srd-2014/storms"]


class TestHeadings:
    def test_sections_have_their_enclosing_section(self):
        pieces = split_at_headings("Sea", "Intro\n\n## Ships  \nA\n### Masts ###\nB\n## Storms\nC")
        assert [(p.level, p.heading, p.body, p.above) for p in pieces] == [
            (0, "Sea", "Intro", ()),
            (2, "Ships", "A", ()),
            (3, "Masts", "B", ("Ships",)),
            (2, "Storms", "C", ()),
        ]

    def test_a_repeated_title_is_not_a_section(self):
        assert [p.heading for p in split_at_headings("Sea", "# SEA\n\nIntro\n\n## Ships\n\nA")] == ["Sea", "Ships"]

    def test_copies_of_a_text_begin_alike(self):
        assert opening(f"## Swim\n\n{SWIM}") == opening(SWIM.replace("armor", "**armor**")) != ""
        assert opening("Too short.") == opening(None) == ""
