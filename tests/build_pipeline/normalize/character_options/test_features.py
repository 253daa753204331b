"""Features of classes, completed from their texts, and the options that they list."""

from build_pipeline.normalize.character_options import benefits, features, options
from build_pipeline.normalize.character_options.progressions import announces, with_features
from build_pipeline.normalize.merging.draft import Draft, Reference


def feature(name, text, *levels):
    return {"name": name, "level": levels[0] if levels else None, "levels": list(levels), "description": text}


def told(found):
    return [(f["name"], f["levels"]) for f in found]


def test_a_heading_with_its_own_level_is_a_feature():
    text = "Starting at 2nd level, you see.\n\n#### Deaf to Bells\n\nAt 6th level, you do not hear."
    found = features.completed([feature("Sight", text, 2)], of_subclass=True)
    assert told(found) == [("Sight", [2]), ("Deaf to Bells", [6])]
    assert [f["description"] for f in found] == ["Starting at 2nd level, you see.", "At 6th level, you do not hear."]


def test_headings_without_a_level_stay_in_their_feature():
    text = "Choose.\n\n## Calm\n\nYou are calm."
    assert features.completed([feature("Mood", text, 2)], of_subclass=True)[0]["description"] == text


def test_parts_of_spellcasting_are_in_it_in_the_usual_order():
    parts = [
        feature("Spell Slots", "Some.", 1),
        feature("Cantrips", "You learn another one at 10th level.", 10),
        feature("Spellcasting", "You cast.", 3),
        feature("Nap", "You nap.", 9),
    ]
    found = features.completed(parts, of_subclass=True)
    assert told(found) == [("Spellcasting", [3]), ("Nap", [9])]
    assert found[0]["description"] == (
        "You cast.\n\n### Cantrips\n\nYou learn another one at 10th level.\n\n### Spell Slots\n\nSome."
    )


def test_without_spellcasting_its_parts_are_features():
    assert told(features.completed([feature("Cantrips", "Two.", 1)], of_subclass=False)) == [("Cantrips", [1])]


def test_a_subclasss_features_without_a_level_come_at_its_first():
    parts = [feature("Skin", "Hard.", 3), feature("Words", "Hold."), feature("Restriction: Gull", "Gulls only.")]
    assert told(features.completed(parts, of_subclass=True)) == [
        ("Skin", [3]),
        ("Words", [3]),
        ("Restriction: Gull", []),
    ]


def test_levels_uses_and_prerequisites_are_read_from_texts():
    text = (
        "*Prerequisite: a bell*\n\nYou ring. Once you do, you can't use it again until you finish a long "
        "rest.\n\n| Warden Level | Spells |\n|---|---|\n| 3rd | fog |\n| 5th | tide |"
    )
    [found] = features.completed([feature("Ring", text, 3)], of_subclass=True)
    assert (found["levels"], found["uses"], found["prerequisite"]) == ([3, 5], "1 per long rest", "a bell")
    assert found["description"].startswith("You ring.")


def test_a_feature_without_such_facts_is_unchanged():
    plain = feature("Nap", "You nap.", 2)
    assert features.completed([plain], of_subclass=False) == [plain]


def test_an_entry_of_a_table_announces_its_feature():
    assert announces("Watch (two bells)", "Watch")
    assert announces("Watch and Nap improvements", "Nap")
    assert announces("Signature Knot", "Signature Knots")
    assert not announces("Watch", "Night Watch")


def test_a_table_that_names_features_is_unchanged():
    rows = [{"level": n, "features": ["Improvement"] if n % 2 else []} for n in range(1, 21)]
    assert with_features(rows, [feature("Nap", "", 2)]) == rows
    bare = [{"level": n, "features": []} for n in range(1, 21)]
    assert with_features(bare, [feature("Nap", "", 2)])[1]["features"] == ["Nap"]


def test_a_list_of_options_has_no_level_and_a_heading_an_option():
    listed = feature("Knots", "Choose.\n\n### Reef\n\nHolds.\n\n### Slip\n\nSlips.\n\n### Bow\n\nPretty.")
    [(found, parts)] = options.listed_options([listed, {**listed, "level": 2}, feature("Nap", "You nap.")])
    assert found is listed
    assert [part["name"] for part in parts] == ["Reef", "Slip", "Bow"]


def test_options_with_the_same_name_and_kind_are_merged():
    def option(kind, owner):
        facts = {"feat_type": kind, "option_of": [Reference(("class",), owner)]}
        return Draft("srd", (f"srd/x/{owner}",), "feat", "srd-2014", "Reef", facts=facts)

    joined = list(options.joined_options([option("knot", "Warden"), option("knot", "Sentry"), option("rock", "Gull")]))
    assert [[r.name for r in d.facts["option_of"]] for d in joined] == [["Warden", "Sentry"], ["Gull"]]
    assert joined[0].raw == ("srd/x/Warden", "srd/x/Sentry")


def test_benefits_take_names_and_whole_tables_from_the_other_source():
    torn, whole = "| d6 | Flaw |\n|---|---|\n| 1 |", "| d6 | Flaw |\n|---|---|\n| 1 | Loud |"
    winner = [{"name": None, "description": "You *ring*."}, {"name": "Flaws", "description": torn}]
    loser = [{"name": "Ring", "description": "You ring."}, {"name": "Flaws", "description": whole}]
    assert benefits.combined(winner, loser) == [
        {"name": "Ring", "description": "You *ring*."},
        {"name": "Flaws", "description": whole},
    ]
