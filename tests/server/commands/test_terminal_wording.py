"""Messages of the tools, worded for the terminal; and the descriptions of the tool sets."""

from fnmatch import fnmatchcase

import pytest

from server.commands.wording import in_a_terminal
from server.library.message import Call, Given, Message, Named, NamedTool, Offset, Piece, WhereDocumentsAre
from server.settings import TOOLSETS
from server.tools.registry import TOOLS
from server.tools.tool import ALWAYS_ON


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (["Filter: ", Given("type", "undead"), " (leaves 9), ", Given("cost_max", 25), " (leaves 4)."],
         "Filter: --type undead (leaves 9), --cost-max 25 (leaves 4)."),
        (["Filter: ", Given("content_types", ("Spell", "Rule")), "."], "Filter: --content-types Spell,Rule."),
        (["Filter: ", Given("ritual", value=True), ", ", Given("is_magic", value=False), "."],
         "Filter: --ritual, --no-is-magic."),
        ([Given("requires_attunement", value=True), " finds 2."], "--requires-attunement true finds 2."),
        ([Given("resistant_to", "cold iron"), " or ", Given("resistant_to", "silver", lead=""), "."],
         '--resistant-to "cold iron" or --resistant-to silver.'),
        (["Leave out ", Named("name"), " and give ", Given("part", "Life Drain"), "."],
         'Leave out name and give --part "Life Drain".'),
        (["It is a part of Ghoul", Call("lookup_creature", (Given("part", "aura"),), lead=": "), "; of Paladin."],
         "It is a part of Ghoul; of Paladin."),
        (["But ", Call("lookup_spell", (Given("name", "shield (of air)"), Given("level", 1))), " finds 2."],
         'But `lorekeeper show "shield (of air)"` finds 2.'),
        (["Use ", Call("search_equipment", (Given("search", "wand"), Given("type", "magic-item"))), "."],
         "Use `lorekeeper equipment wand --type magic-item`."),
        ([Call("query", (Given("sql", "SELECT name FROM spells"),))], '`lorekeeper sql "SELECT name FROM spells"`'),
        (["Leaving out ", Named("cr_max", left_out=True), " finds 4."], "Leaving out --cr-max finds 4."),
        (["Do give ", Given("documents", ("5e-2014",), lead="documents, e.g. "), "."],
         "Do give --documents 5e-2014."),
        ([Named("rule_type"), " was not given, so all were searched."],
         "--rule-type was not given, so all were searched."),
        ([Offset(90), " is past the end: there are 4 results."], "That page is past the end: there are 4 results."),
        ([Named("party"), ' cannot be "x".'], 'party cannot be "x".'),
        (["Fire of level 3 is a spell of type rule, level=3."], "Fire of level 3 is a spell of type rule, level=3."),
        ([NamedTool("lookup_creature"), " finds names, ", NamedTool("fetch"), " does not."],
         "`lorekeeper show` finds names, fetch does not."),
        ([WhereDocumentsAre()], "`lorekeeper documents` lists the valid keys."),
    ],
)  # fmt: skip
def test_parameters_are_options_and_tools_are_commands(pieces: list[Piece], said: str):
    assert in_a_terminal(Message(*pieces)) == said


def test_tool_sets_contain_the_tools_that_they_name():
    for tool in TOOLS:
        if tool.toolset != ALWAYS_ON:
            of = [name for name, tools in TOOLSETS.items() if any(fnmatchcase(tool.name, each) for each in tools)]
            assert tool.toolset in of
            assert tool.name in TOOLSETS[tool.toolset] or of[0] == tool.toolset
