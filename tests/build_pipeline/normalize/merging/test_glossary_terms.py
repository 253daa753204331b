"""Terms of a glossary and tables, found in texts without markup."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.glossary_terms import Terms
from build_pipeline.normalize.merging.merge import Entity

GLOSSARY: dict[str, Any] = {"section": "Rules Glossary", "parent": {"id": "rule/red-book/rules-glossary"}}


def rule(name: str, document: str = "red-book", **facts: Any) -> Entity:
    draft = Draft("srd", (f"srd/{document}/{name}",), "rule", document, name)
    return Entity([draft], document, {"description": "Words.", **facts}, slug=name.lower().replace(" ", "-"))


def ware(name: str, entity_type: str = "adventuring-gear") -> Entity:
    draft = Draft("srd", (f"srd/red-book/{name}",), entity_type, "red-book", name)
    return Entity([draft], "red-book", {"description": "Words."}, slug=name.lower().replace(" ", "-"))


TERMS = Terms(
    [
        *(
            rule(name, **GLOSSARY)
            for name in (
                "Hit Points",
                "Temporary Hit Points",
                "Soft Ground",
                "Hide",
                "Peace Talk",
                "Truesight",
                "Short Rest",
                "Long Rest",
                "Hit Point Dice",
                "Cover",
            )
        ),
        rule("Grumpy", **GLOSSARY, tags=["attitude"]),
        *(rule(name, **GLOSSARY, tags=["action"]) for name in ("Hoist", "Whistle")),
        rule("Reaction", **GLOSSARY),
        *(rule(name, **GLOSSARY, tags=["area of effect"]) for name in ("Cone", "Bubble")),
        *(rule(name, section="Riding", tags=["action"]) for name in ("Spur", "Drop a Rein", "Use an Object")),
        rule("Yodel", **GLOSSARY),
        ware("Tin Whistle"),
        ware("Rope"),
        ware("Lucky Rope", "magic-item"),
        ware("Riding Newt"),
        ware("Riding Newt", "creature"),
        rule("Sharp Turn", section="Riding", parent=None),
        rule("Tolls Table", description="| Bridge | Toll |\n|---|---|\n| Old | 5 gp |"),
        rule("Level 1 Knots", description="| Knot |\n|---|\n| Bow |"),
        rule("Grades of Rope", description="| Rope | Grade |\n|---|---|\n| Old | C |"),
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It has no Hit Points left.", ["hit-points"]),
        ("Soft Ground slows it; so does more Soft Ground.", ["soft-ground", "soft-ground"]),
        ("It gains Temporary Hit Points.", ["temporary-hit-points"]),
        ("**Temporary Hit Points.** It sings.\n\n**Losing Hit Points.** It hums.", ["hit-points"]),
        ("It has no hit points left, on soft ground.", []),
        ("Hide, then make a Sharp Turn.", []),
        ("*Hit Points:* many. **Hit Points.** Many. The Ogre Hit Points and Hit Points Maximum.", []),
        ("## Soft Ground\n\n| Soft Ground | 2 |", []),
        ("| d6 | Sense |\n|---|---|\n| 2 | Smell and Truesight out to a mile |", ["truesight"]),
        ("It is among the Parts of a Peace Talk.", []),
        ("It has the benefits of a Short Rest.", ["short-rest"]),
        ("Riding contains these rules: Soft Ground, Peace Talk.", []),
        ("Pay what the Tolls table says, and use the Grades of Rope table.", ["tolls-table", "grades-of-rope"]),
        ("Tie what the Level 1 Knots table shows.", ["level-1-knots"]),
        (
            "It fills a 15-foot Cone or a 5-foot-wide, 20-foot-long Bubble. The Cone of an ear is none.",
            ["cone", "bubble"],
        ),
        ("It has one of these shapes: Cone, Pipe, or Bubble.", ["cone", "bubble"]),
        ("They stand in this glossary:\n\n| | |\n|---|---|\n| Cone | Bubble |", ["cone", "bubble"]),
        ("The troll is Grumpy, not grumpy.", ["grumpy"]),
        ("Take the Whistle, Hide, or Hoist action, or Whistle.", ["whistle", "hoist"]),
        ("Spur Hoist or Whistle action.", ["spur", "hoist", "whistle"]),
        ("Take one of the following actions at once: Hoist, Yawn, or Spur.", ["hoist", "spur"]),
        ("It can take a Reaction; no Reaction is needed.", ["reaction"]),
        ("Take the Spur, Drop a Rein, or Hoist action.", ["spur", "drop-a-rein", "hoist"]),
        ('When you yodel, you have the Hide condition (see "Rules Glossary").', []),
        ("As a Whistle action, it sings.", ["whistle"]),
        ('It may hide, hoist, and yodel (each explained in "Rules Glossary").', ["hide", "hoist", "yodel"]),
        ('Use the Yodel feature (see "Rules Glossary"), or soft ground in "Rules Glossary."', ["yodel", "soft-ground"]),
        ('A yodel, which is defined in "Rules Glossary." A cone is none.', ["yodel"]),
        ('See "Rules Glossary" for more about Yodel.', ["yodel"]),
        ('"Rules Glossary" has more information on being grumpy.', ["grumpy"]),
        ("To hide and yodel is not explained.", []),
        ('"Rules Glossary" defines the following noises:\n\n- Yodel\n- Humming\n- Cone\n\nListen.', ["yodel", "cone"]),
        ("It fears Peace Talks.", ["peace-talk"]),
        ("Nobody reads the Fares table.", []),
        ("It has Truesight of another kind, as *Truesight* gives.", ["truesight"]),
        ("It is **Truesight**, they say.\n\n**Truesight.** It sees.", ["truesight"]),
        ("Wait for a Short or Long Rest, or a Long or Short Rest.", ["short-rest", "long-rest"] * 2),
        ("Spend a Hit Point Die, or two Hit Dice.", ["hit-point-dice"] * 2),
        ("Behind Half Cover or Total Cover, take cover. A Cover lies there.", ["cover"]),
        ("It takes the use an object action; a hide action is none.", ["use-an-object"]),
        ("It fills two 15-foot Cones.", ["cone"]),
        ("It fills a 9-foot high Cone.", ["cone"]),
    ],
)
def test_terms_in_a_text_are_linked(text: str, expected: list[str]) -> None:
    assert list(TERMS.named_in(text, ["red-book"])) == [f"rule/red-book/{slug}" for slug in expected]


def test_gear_with_several_words_is_linked() -> None:
    assert not list(TERMS.named_in("the +1 Tin Whistle", ["red-book"]))
    found = TERMS.named_in("A Tin Whistle on a Riding Newt beats a tin whistle, a Rope or a Lucky Rope.", ["red-book"])
    assert list(found) == ["adventuring-gear/red-book/tin-whistle", "creature/red-book/riding-newt"]


def test_texts_of_other_books_are_not_linked() -> None:
    assert not list(TERMS.named_in("It has no Hit Points left on the Tolls table.", ["blue-book"]))
    assert list(TERMS.named_in("The Hoist (once only), Whistle, or Hum action.", ["blue-book", "red-book"])) == [
        "rule/red-book/hoist",
        "rule/red-book/whistle",
    ]
