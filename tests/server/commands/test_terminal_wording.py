"""Messages of the tools in the words of the terminal; and what the tool sets say that they hold."""

from fnmatch import fnmatchcase

import pytest

from server.commands.wording import in_a_terminal
from server.settings import TOOLSETS
from server.tools.registry import TOOLS
from server.tools.tool import ALWAYS_ON


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ('To require that, filter: type="undead" (leaves 9), cost_max=25 (leaves 4).',
         "To require that, filter: --type undead (leaves 9), --cost-max 25 (leaves 4)."),
        ('Filter: content_types=["Spell", "Rule"].', "Filter: --content-types Spell,Rule."),
        ('Leave out name and give part="Life Drain".', 'Leave out name and give --part "Life Drain".'),
        ('"aura" is a part of Ghoul: lookup_creature(part="aura"); of Paladin: lookup_character_option(part="aura").',
         '"aura" is a part of Ghoul; of Paladin.'),
        ('But lookup_spell(name="shield (of air)") finds 2.', "But `lorekeeper show shield (of air)` finds 2."),
        ("Leaving out cr_max finds 4; leaving out type finds 2 of type ooze.",
         "Leaving out --cr-max finds 4; leaving out --type finds 2 of type ooze."),
        ('150 of 5e-2014 do: give documents, e.g. ["5e-2014"].', "150 of 5e-2014 do: give --documents 5e-2014."),
        ("documents is an empty list, so nothing was searched: leave it out to search all documents.",
         "--documents is an empty list, so nothing was searched: leave it out to search all documents."),
        ("content_types is empty: leave it out for all of them.",
         "--content-types is empty: leave it out for all of them."),
        ('Nothing has the part "x", nor any other: leave out part.',
         'Nothing has the part "x", nor any other: leave out --part.'),
        ("There are more than 50 rows: count or group them, or raise limit.",
         "There are more than 50 rows: count or group them, or raise --limit."),
        ("cr 1/2 cannot be combined with cr_min 5: give one or the other.",
         "--cr 1/2 cannot be combined with --cr-min 5: give one or the other."),
        ('section "combat" can be combined only with the rule_type rule, not with skill.',
         '--section "combat" can be combined only with the rule_type rule, not with skill.'),
        ("type was not given, so all were searched.",
         "--type was not given, so all were searched."),
        ('The dataset has no spells with school "fire".', 'The dataset has no spells with school "fire".'),
        ('type cannot be "zombi". Valid values: undead.', '--type cannot be "zombi". Valid values: undead.'),
        ("Fire of level 3 is a spell of type rule.", "Fire of level 3 is a spell of type rule."),
        ("offset 90 is past the end: there are 4 results.", "that page is past the end: there are 4 results."),
        ('party cannot be "x".', 'party cannot be "x".'),
        ("lookup_creature finds names.", "`lorekeeper show` finds names."),
        ("Give suggest_encounter a budget, e.g. xp=500.", "Give `lorekeeper suggest` a budget, e.g. --xp 500."),
        ("Call list_documents for the valid keys.", "`lorekeeper documents` lists the valid keys."),
    ],
)  # fmt: skip
def test_parameters_are_options_and_tools_are_commands(message: str, said: str):
    assert in_a_terminal(message) == said


def test_every_tool_is_in_the_tool_set_that_says_so():
    for tool in TOOLS:
        if tool.toolset != ALWAYS_ON:
            of = [name for name, tools in TOOLSETS.items() if any(fnmatchcase(tool.name, each) for each in tools)]
            assert tool.toolset in of
            assert tool.name in TOOLSETS[tool.toolset] or of[0] == tool.toolset
