"""An invented class in the layouts of the two books."""

_LEVELS_2024 = {1: "Watch, Spellcasting", 2: "Knots", 3: "Warden Subclass", 6: "Knots", 7: "Subclass feature"}
_LEVELS_2014 = {
    1: "Watch",
    2: "Spelcasting, Knot Craft",
    3: "Warden Vow",
    5: "Watch improvement",
    7: "Vow feature",
    9: "Watch (2 bells)",
    20: "Long Watch",
}


def _bonus(level: int) -> int:
    return 2 + (level - 1) // 4


def _rows_2024() -> str:
    rows = (
        f"| {n} | +{_bonus(n)} | {_LEVELS_2024.get(n, '—')} | {n // 5 or '—'} | {min(n, 4)} | {n // 3 or '—'} |"
        for n in range(1, 21)
    )
    return "\n".join(rows)


def _rows_2014(names: dict[int, str]) -> str:
    rows = (
        f"<tr><td>{n}th</td><td>+{_bonus(n)}</td><td>{names.get(n, '—')}</td><td>{n}</td></tr>" for n in range(1, 21)
    )
    return "".join(rows)


def _slots_2014() -> str:
    return "".join(f"<tr><td>{n}th</td><td>{min(n, 4)}</td><td>{n // 3 or '—'}</td></tr>" for n in range(1, 21))


WARDEN_2024 = f"""# Warden

## Core Warden Traits

| Trait | Detail |
|---|---|
| **Primary Ability** | Strength or Wisdom |
| **Hit Point Die** | D10 per Warden level |
| **Saving Throw Proficiencies** | Strength and Wisdom |
| **Skill Proficiencies** | *Choose 2:* Nature or Perception |
| **Weapon Proficiencies** | Simple weapons |
| **Armor Training** | None |
| **Starting Equipment** | *Choose A or B:* (A) Horn and 5 GP; or (B) 20 GP |

## Becoming a Warden ...

### As a Multiclass Character

- Take from the Core Warden Traits table: Hit Point Die and training with Shields.

## Warden Features

| Level | Proficiency Bonus | Class Features | Bells | 1 | 2 |
|---|---|---|---|---|---|
{_rows_2024()}

## Warden Class Features

### Level 1: Watch

You keep awake. Once you do, it rests until you finish a Long Rest.

> **Sleepy Wardens**
>
> A warden who slept buys the others supper.

### Level 1: Spellcasting

Wisdom is your spellcasting ability for your Warden spells.

### Level 2: Knots

You tie one of the following knots of your choice.

**Reef.** It holds.

**Slip.** It does not.

### Level 3: Warden Subclass

You choose one.

## Knot Options

These are for your Knots feature.

### Fool's Bow

*Prerequisite: Level 6+ Warden, Reef*

You tie it behind your back.

## Warden Spell List

### Cantrips (Level 0 Warden Spells)

| Spell | School | Special |
|---|---|---|
| *Bell* | Illusion | — |

### Level 1 Warden Spells

| Spell | School | Special |
|---|---|---|
| *Fog* | Conjuration | C |
| *Tide* | Evocation | — |

## Warden Subclass: Vow of Stone

*Stand Still*

Slow people.

### Level 3: Stone Spells

You always have these.

#### Stone Spells

| Warden Level | Prepared Spells |
|---|---|
| 3 | *Fog* |
| 9 | *Tide* |

### Level 7: Stone Skin

Your skin hardens.
\f
# Character Creation

## Multiclassing

### Prerequisites

You need at least 13 in the primary ability of it.
"""


def warden_2014(names: dict[int, str] | None = None) -> str:
    """The class in the older book; `names`: features by level, instead of the usual ones with a misprint."""
    return f"""# Classes

## Warden

### Class Features

<table><caption>The Warden</caption><thead><tr><th>Level</th><th>Proficiency Bonus</th><th>Features</th><th>Bells</th>
</tr></thead><tbody>{_rows_2014(names or _LEVELS_2014)}</tbody></table>

#### Hit Points

**Hit Dice:** 1d10 per warden level

**Hit Points at 1st Level:** 10 + your Constitution modifier

#### Proficiencies

**Armor:** None

**Saving Throws:** Strength, Wisdom

**Skills:** Choose two from Nature and Perception

### Equipment

-   a horn

### Watch

You keep awake. The bells grow as the table says.

### Spellcasting

By 2nd level, you cast spells.

#### Spell Slots

<table><caption>Warden Spell Slots</caption><thead><tr><th rowspan="2">Warden Level</th><th colspan="2">Spell Level</th>
</tr><tr><th>1st</th><th>2nd</th></tr></thead><tbody>{_slots_2014()}</tbody></table>

#### Spellcasting Ability

Wisdom is your spellcasting ability.

### Bell Focus

You can use a bell as a spellcasting focus.

### Knot Craft

At 2nd level, you tie knots.

#### Reef

You can tie a reef.

### Warden Vow

At 3rd level, you take a vow. It grants you features at 3rd and again at 7th level.

### Long Watch

At 20th level, you never sleep.

## Warden Vows

All vows bind.

### Vow of Stone

Slow people.

Stone Spells

| Warden Level | Spells |
| --- | --- |
| 3rd | *fog* |
| 9th | *tide* |

#### Stone Skin

At 3rd level, your skin hardens.

> #### Broken Vows
>
> They are mended at dawn.

## Knot Secrets

A secret is learnt once.

#### Fool's Bow

*Prerequisite: *fog* cantrip*

You tie it behind your back.

# Spell Lists

## Warden Spells

### Cantrips (0 Level)

-   *Bell*

### 1st Level

-   *Fog*
-   *Tide*

# Beyond 1st Level

## Multiclassing

### Prerequisites

Multiclassing Prerequisites

| Class | Ability Score Minimum |
| --- | --- |
| Warden | Strength 13 or Wisdom 13 |

### Proficiencies

Multiclassing Proficiencies

| Class | Proficiencies Gained |
| --- | --- |
| Warden | — |
"""


_WITNESS_ROWS = "\n".join(
    f"| {n}th | +{_bonus(n)} | {_LEVELS_2014.get(n, '—').replace('Spelcasting', 'Spellcasting')} |"
    for n in range(1, 21)
)
WITNESS_2014 = f"""# Classes

## Warden

| Level | Proficiency Bonus | Features |
|---|---|---|
{_WITNESS_ROWS}
"""
"""The level table of the older book's second witness, without the misprint."""
