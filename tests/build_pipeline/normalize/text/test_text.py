"""Cleaning texts: what is removed and what is kept."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.invisible import visible

MARKUP = st.sampled_from(
    (
        *("<b>", "</b>", "<br>", "</ li>", "<td>", "<table>", "</table>", "&lt;", "&amp;", "&#60;", "\\n", "\\."),
        *("srd:", "srd:fire-bolt", "](", "[x](/y)", "[rule]a;b[/rule]", "[+]", "|", "#", "##", "----", "•"),
        *("\ufffd", "\u00ad", "\x93"),
    )
)
SPACE = st.sampled_from([" ", "  ", "\n", "\t"])


@given(st.lists(MARKUP | SPACE | st.text(max_size=6), max_size=25).map("".join))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned is None or (clean_text(cleaned) == cleaned and cleaned == cleaned.strip() != "")


@pytest.mark.parametrize(
    "nothing",
    [None, "", "  ", "None", "null", "False", "--", "—", "[None provided]", "[No description provided]", "<p></p>"],
)
def test_placeholders_count_as_no_text(nothing: str | None) -> None:
    assert clean_text(nothing) is None


@pytest.mark.parametrize("entity", ["&rlm;", "&#x202e;", "&ZeroWidthSpace;", "&#x9b;", "&amp;#xE0041;"])
def test_html_entities_add_nothing_invisible(entity: str) -> None:
    cleaned = clean_text(f"a{entity}b")
    assert cleaned is not None
    assert cleaned == visible(cleaned)


def test_a_note_about_a_missing_text_counts_as_no_text() -> None:
    assert clean_text("No description provided by the authors.") is None
    assert known("none provided") is None


def test_texts_that_resemble_placeholders_are_kept() -> None:
    assert known("None of them fly.") == "None of them fly."
    assert known(0) == 0


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("a _long rest_ —no other", "a _long rest_—no other"),
        ("Skis.\n†Halved.\n†‡ Both.", "Skis.\n\n†Halved.\n\n†‡ Both."),
        ("You eat sugges_tion_ jam.", "You eat _suggestion_ jam."),
        ("Ring it (not the __drowned bell )_. Sing (_hush)_.", "Ring it (not the _drowned bell_). Sing (_hush_)."),
        ("The _gate  s_poon and _The Ches_t hum.", "The _gate_ spoon and _The Chest_ hum."),
        ("See ( Odd Beans#^creature) the the jam .", "See the jam."),
        ("Tenets.\n\n ***Jam.*** Sweet.", "Tenets.\n\n***Jam.*** Sweet."),
        ("It has a + 1 bonus to soup.", "It has a +1 bonus to soup."),
        ("Jam 5 (1d4 +3), tea 9 (1d12+ 3), ham 4 (1d4+2).", "Jam 5 (1d4 + 3), tea 9 (1d12 + 3), ham 4 (1d4+2)."),
        ("The cook1s pot doesn1t take1d10 eggs.", "The cook’s pot doesn’t take 1d10 eggs."),
        ("On the 1st of 1s, 2d6.", "On the 1st of 1s, 2d6."),
        ("It ends.\n\n Then it begins.\n Soup (Rare). Hot.", "It ends.\n\nThen it begins.\n\nSoup (Rare). Hot."),
        ("It gives: - **Jam.** Sweet. - Tea", "It gives:\n\n- **Jam.** Sweet.\n- Tea"),
        (["First.", "Second."], "First.\n\nSecond."),
        ("The jam is sweet and sticky.\nIt is red.", "The jam is sweet and sticky.\n\nIt is red."),
        (
            "**Jam.** Sweet, 8 lb\n**Tea.** Hot\n***Soup*** is salty.",
            "**Jam.** Sweet, 8 lb\n\n**Tea.** Hot\n\n***Soup*** is salty.",
        ),
        ("* Jam is sweet.\n* Tea is hot.", "* Jam is sweet.\n* Tea is hot."),
        ("a 20-footradius sphere, 5-footwide", "a 20-foot-radius sphere, 5-foot-wide"),
        ("like the *sing* badly spell", "like the *sing badly* spell"),
        ("the *sing* or hum spells, *sing* it", "the *sing* or hum spells, *sing* it"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one\\ntwo", "one\ntwo"),
        ("- *** Find Home.** You run.", "- **Find Home.** You run."),
        ("A _less than that of_ Snow Cloak_)._", "A less than that of _Snow Cloak_)."),
        ("It stirs as a _1 wooden ladle_ , or a _2 weapon ._", "It stirs as a _+1 wooden ladle_, or a _+2 weapon._"),
        ("It takes an _8 oared boat_.", "It takes an _8 oared boat_."),
        ("Cast _fly, jump,_ see _invisibility._", "Cast _fly, jump, see invisibility._"),
        ("half-\u00adway", "half-way"),
        ("one-\u2010\u2011handed", "one-handed"),
        ("Rounds 5\ufffd10 are worse\ufffd.", "Rounds 5–10 are worse."),
        ("the ogre\u00e2\u20ac\u2122s club", "the ogre’s club"),
        ("\x93doomed\x94", "“doomed”"),
        ("it ﬁghts", "it fights"),
        ("too   wide\n  * nested", "too wide\n  * nested"),
        ("Open a lock  ## Armor  \nWear it", "Open a lock\n\n## Armor\nWear it"),
        ("Open a lock  **Hiding**  The GM decides", "Open a lock\n\n**Hiding** The GM decides"),
        ("One.  Two.", "One. Two."),
        ("a &amp; b &lt; c", "a & b < c"),
        ("x < 3 and y > 4", "x < 3 and y > 4"),
        ("<p>Hit <em>hard</em>,<br/>then <strong>run</strong>.</p>", "Hit *hard*,\nthen **run**."),
        (
            "| Pit | Time |\n|---|---|\n| Deep | 1 hour<br/>2 days;<br>more. <br /><br />Or less<br> |",
            "| Pit | Time |\n|---|---|\n| Deep | 1 hour; 2 days; more. Or less |",
        ),
        ("Pick:<ul><li>ale</li> <li>mead</li></ul>Drink.", "Pick:\n* ale\n* mead\n\nDrink."),
        ("<h3>Feast</h3>Eat.", "### Feast\n\nEat."),
        ("##Feast", "## Feast"),
        ("Take one:• an axe• a bow", "Take one:\n* an axe\n* a bow"),
        ("roll a d20\\. See \\[here\\]", "roll a d20. See [here]"),
        ("Signs:\n\n\\# Mud rises.\n\n\\# Frogs sing.", "Signs:\n\n* Mud rises.\n\n* Frogs sing."),
        ("[true seeing](https://api.open5e.com/spells/true-seeing) helps", "true seeing helps"),
        ("[bless](https://api.open5e.com/spells/bless)[bane](https://api.open5e.com/bane) help", "bless, bane help"),
        ("[the makers](https://example.org)", "[the makers](https://example.org)"),
        ("knocked srd:prone by srd:call-lightning.", "knocked prone by call lightning."),
        ("cannot be [rule]surprise;surprised[/condition].", "cannot be surprised."),
        ("[+]Looks[/+] like moss", "Looks like moss"),
        ("a Sphere [Area of Effect]|XYZ|Sphere around it", "a Sphere around it"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("it shatters on impact.In either case it burns", "it shatters on impact. In either case it burns"),
        ("see example.org or v2.Beta", "see example.org or v2.Beta"),
        ("a 2nd- level slot, a two- handed, newly- made axe", "a 2nd-level slot, a two-handed, newly-made axe"),
        ("a one- or two-handed axe, 1- and 2-mile marks", "a one- or two-handed axe, 1- and 2-mile marks"),
        ("5 b 5 ft.", "5 by 5 ft."),
        ("a 5-to 20-foot radius", "a 5- to 20-foot radius"),
        ("It moves with moves with a hop.", "It moves with a hop."),
        ("Newts live in ponds live in ponds of mud.", "Newts live in ponds of mud."),
        ("Add 1 to your to your roll.", "Add 1 to your roll."),
        (
            "the staff 's head, a wolf ’s tail, the letter f is set",
            "the staff's head, a wolf’s tail, the letter f is set",
        ),
        ("cast __sleet_ , or _fog _ twice", "cast _sleet_, or _fog _ twice"),
        ("cast _sleet ._", "cast _sleet._"),
        ("you are _stunned_ . (as _sleep_ ).", "you are _stunned_. (as _sleep_)."),
        ("hits **more** **than one** target", "hits **more than one** target"),
        ("__**Table: Loot**__\n| d6 | Loot |\n|---|---|", "**Loot**\n\n| d6 | Loot |\n|---|---|"),
        ("## Table: Loot\n\nAle", "**Loot**\n\nAle"),
        ("these:\n*Deaf. You hear nothing.\n * Mute.", "these:\n* Deaf. You hear nothing.\n* Mute."),
        ("Frost Imp\\|Frost/Fire Imp\\|Fire imp", "Frost/Fire imp"),
        ("It ends.\n  Then it begins.", "It ends.\n\nThen it begins."),
        ("- Run.\n- Hide.\nIt ends at dawn.", "- Run.\n- Hide.\n\nIt ends at dawn."),
    ],
)
def test_markup_is_removed_and_content_kept(written: str | list[str], clean: str) -> None:
    assert clean_text(written) == clean


def test_tables_are_kept_without_padding() -> None:
    table = "| d6   | Loot    |\n|------|---------|\n| 1    | A *bell* |"
    assert clean_text(table) == "| d6 | Loot |\n|---|---|\n| 1 | A *bell* |"


def test_an_html_table_becomes_markdown() -> None:
    table = "<table><thead><tr><th>Size</th><th>HP</th></tr></thead><tr><td>Tiny</td>\n<td>5</td></tr></table>After"
    assert clean_text(table) == "| Size | HP |\n|---|---|\n| Tiny | 5 |\n\nAfter"


def test_a_cell_separated_from_its_row_is_restored() -> None:
    assert clean_text("| \n\nDread\n\n | It flees. |") == "| Dread | It flees. |"


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Roll. | d6 | Loot |\n| --- | --- |\n| 1 | Ale |", "Roll.\n\n| d6 | Loot |\n| --- | --- |\n| 1 | Ale |"),
        ("**Loot**\n| d6 | Loot |\n|---|---|", "**Loot**\n\n| d6 | Loot |\n|---|---|"),
        ("| d6 | Loot\n|---|---|\n| 1 | Ale", "| d6 | Loot |\n|---|---|\n| 1 | Ale |"),
        ("| d6 | Loot |\n|---|---|\n| 1 | Ale | It is stale.", "| d6 | Loot |\n|---|---|\n| 1 | Ale |\n\nIt is stale."),
        ("| d6 | Loot |\n\n|---|---|\n\n| 1 | Ale |", "| d6 | Loot |\n|---|---|\n| 1 | Ale |"),
        ("## Loot\n| d6 | Loot |\n|---|---|\n| 1 | Ale |", "## Loot\n\n| d6 | Loot |\n|---|---|\n| 1 | Ale |"),
        ("Roll.\n\n| 1 | Ale |\n| 2 | Rum |", "Roll.\n\n| | |\n|---|---|\n| 1 | Ale |\n| 2 | Rum |"),
        ("| d6 | Loot |\n|———|————|\n| 1 | Ale |", "| d6 | Loot |\n|---|---|\n| 1 | Ale |"),
    ],
)
def test_tables_are_repaired(written: str, clean: str) -> None:
    assert clean_text(written) == clean


def test_a_repeated_table_is_kept_once() -> None:
    table = "#### Loot\n\n| d6 | Loot |\n|---|---|\n| 1 | Ale |"
    assert clean_text(f"Roll.\n\n{table}\n\n{table}\n\nTake it.") == f"Roll.\n\n{table}\n\nTake it."
    other = table.replace("Ale", "Rum")
    assert clean_text(f"{table}\n\n{other}") == f"{table}\n\n{other}"


def test_two_tables_stay_separate() -> None:
    tables = "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |"
    assert clean_text(tables) == tables


@pytest.mark.recordings
def test_real_texts_have_no_remnants(recordings: Path) -> None:
    debris = re.compile(r"</?[a-z]|&[a-z]+;|[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\ufffd]|\bsrd:|\[/?\++\]|\|XPHB\||\\n")
    found = []
    for name in ("sections", "spells", "planes", "conditions", "races", "magicitems"):
        lines = gzip.decompress((recordings / "open5e" / "v1" / f"{name}.jsonl.gz").read_bytes()).splitlines()
        texts = [clean_text(json.loads(line)["desc"]) or "" for line in lines]
        found += [text for text in texts if debris.search(text)]
    assert not found


def test_two_joined_tables_are_separated() -> None:
    first = "| d6 | Ooze |\n| --- | --- |\n| 1 | Dipsa |\n| 6 | Treacle |"
    second = "| d6 | Fish |\n| --- | --- |\n| 1 | Eel |"
    assert clean_text(f"{first} {second}") == f"{first}\n\n{second}"
    side_by_side = "| d6 | Ooze | | d6 | Fish |\n| --- | --- | --- | --- | --- |\n| 1 | Dipsa | | 1 | Eel |"
    assert clean_text(side_by_side) == side_by_side


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("You look at one frog that sits within\nrange of you.", "You look at one frog that sits within range of you."),
        (
            "A frog hums at any time. For example,\nit hums at noon.",
            "A frog hums at any time. For example, it hums at noon.",
        ),
        ("It is good at\nFrogs\nToads", "It is good at\nFrogs\nToads"),
        ("A frog with a teacher soon learns the\n_Wet Arts_.", "A frog with a teacher soon learns the _Wet Arts_."),
        ("Choose one\n* One frog\n* Two toads\nThey hum.", "Choose one\n* One frog\n* Two toads\n\nThey hum."),
        ("# On the\nFrogs hum.", "# On the\nFrogs hum."),
        ("Frogs may: - Hum.\n- Leap.", "Frogs may:\n\n- Hum.\n- Leap."),
    ],
)
def test_broken_lines_are_joined(written: str, clean: str) -> None:
    assert clean_text(written) == clean


def test_a_number_split_at_its_thousands_is_joined() -> None:
    assert clean_text("It costs 25, 000 gp, or 2, 000 goats.") == "It costs 25,000 gp, or 2,000 goats."


def test_a_footnote_below_a_table_is_not_a_list() -> None:
    table = "| Ale* |\n|---|\n| Stale |\n\n"
    assert clean_text(f"{table}*Sold cold.") == f"{table}\\*Sold cold."
    assert clean_text(f"{table}* Sold cold.") == f"{table}* Sold cold."


def test_a_dead_links_message_becomes_the_linked_word() -> None:
    assert clean_text("Cast _` Freelinking: Node title mend does not exist `_ jar.") == "Cast _mend jar_."
    assert (
        clean_text("You have ` Freelinking: Node title _calm nerves_ does not exist ` here.")
        == "You have _calm nerves_ here."
    )
