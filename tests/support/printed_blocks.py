"""Invented stat blocks in every layout of the two books."""

from __future__ import annotations

OLDER = """\
# Monsters

## Descriptions

### Bog Folk

#### Bog Ogre

*Large giant (bog folk, shapechanger), chaotic evil*

**Armor Class** 13 (hide armor), 11 while prone

**Hit Points** 59 (7d10 + 21)

**Speed** 40 ft., swim 20 ft. (30 ft. in eel form)

| STR | DEX | CON | INT | WIS | CHA |
| --- | --- | --- | --- | --- | --- |
| 19 (+4) | 8 (−1) | 16 (+3) | 5 (−3) | 7 (−2) | 7 (−2) |

**Saving Throws** Str +6, Con +5

**Skills** Perception +2, Sleight of Hand +3 Damage Resistances cold; piercing from nonmagical attacks

**Condition Immunities** charmed, poisoned

**Senses** blindsight 30 ft. (blind beyond this radius), passive

**Perception** 12

**Languages** —

**Challenge** 1/2 (100 XP)

***Weaknesses.*** The ogre has these flaws:

**Salt.** Salt stings it.

***Mud Cloak (1/Day).*** It hides in mud.

##### Actions

***Breath Weapons (Recharge 5–6).*** The ogre uses one of the following breath weapons.

***Mud Breath.*** A cone of mud.

***Slap.*** *Melee Weapon Attack:* +6 to hit, reach 5 ft., one target. *Hit:* 11 (2d6 + 4) bludgeoning damage.

***Spells.*** It casts spells:

At will: *light*

1/day each: *fear*, *sleep*

##### Legendary Actions

The ogre can take 2 legendary actions, choosing from the options below.

***Wade (Costs 2 Actions).*** It wades.

Its speed stays 20 feet.

A **bog ogre** hoards frogs.

It eats them, too.

### Fen Things

#### Mire Bat

*Tiny beast, unaligned*

**Armor Class** 12

**Hit Points** half of its summoner's

**Speed** 5 ft., fly 30 ft. (hover)

| STR | DEX | CON | INT | WIS | CHA |
| --- | --- | --- | --- | --- | --- |
| 2 (−4) | 15 (+2) | 8 (−1) | 2 (−4) | 12 (+1) | 4 (−3) |

**Senses** passive Perception 11

**Languages** —

**Challenge** 0 (10 XP)

##### Actions

***Bite.*** *Melee Weapon Attack:* +0 to hit, reach 5 ft., one creature. *Hit:* 1 piercing damage.

***Breath Weapons.*** The bat uses one of the following breath weapons.

***Sour Breath.*** A sour cone.

Bats like **sour** things.

#### Variant: Clouds of Bats

Many bats are a cloud.
"""

NEWER_HEAD = """\
*Medium or Small Humanoid (Warden), Lawful Neutral*

**AC** 17 | **Initiative** +3 (13)
**HP** 45 (7d8 + 14)
**Speed** 30 ft.

{table}

**Skills** Perception +3
**Vulnerabilities** Fire
**Immunities** Cold, Poison; Charmed (with *Ward*), Poisoned
**Gear** Chain Shirt, Javelins (3)
**Senses** Darkvision 60 ft.; Passive Perception 13
**Languages** Common; telepathy 30 ft.
**CR** 3 (XP 700, or 1,100 in lair; PB +2)
"""
NEWER = """\
# Monsters A–Z

## Wardens

### Gate Warden

{head}
{marks} Traits

**Steadfast.** The warden can't be moved.

{marks} Actions

**Glaive.** *Melee Attack Roll:* +5, reach 10 ft. *Hit:* 8 (1d10 + 3) Slashing damage.

**Spellcasting.** The warden casts one of these spells (spell save DC 13):

**At Will:** *Light, Mending*
**1/Day Each:** *Fear* (level 4 version)

---

{marks} Legendary Actions

*Legendary Action Uses: 3 (4 in Lair). It can expend a use.*

**Stare.** It stares.

## Moth

{head}
### Actions

**Flutter.** It flutters.
"""
SCORES = {"strength": 16, "dexterity": 12, "constitution": 14, "intelligence": 10, "wisdom": 13, "charisma": 8}
SAVES = {"strength": 5, "wisdom": 3}
TABLES = {
    "rows": """\
| | STR | DEX | CON | INT | WIS | CHA |
|---|---|---|---|---|---|---|
| **Score** | 16 | 12 | 14 | 10 | 13 | 8 |
| **Mod** | +3 | +1 | +2 | +0 | +1 | −1 |
| **Save** | +5 | +1 | +2 | +0 | +3 | −1 |""",
    "cells": """\
| STR | DEX | CON | INT | WIS | CHA |
|---|---|---|---|---|---|
| 16 (+3) Save +5 | 12 (+1) Save +1 | 14 (+2) Save +2 | 10 (+0) Save +0 | 13 (+1) Save +3 | 8 (−1) Save −1 |""",
    "line": """\
| STR | DEX | CON | INT | WIS | CHA |
|---|---|---|---|---|---|
| 16 (+3) | 12 (+1) | 14 (+2) | 10 (+0) | 13 (+1) | 8 (−1) |

**Saves** STR +5, DEX +1, WIS +3""",
    "upright": """\
|STAT|SCORE|MOD|SAVE|
| --- | --- | --- | ---- |
| STR | 16 | +3 | +5 |
| DEX | 12 | +1 | +1 |
| CON | 14 | +2 | +2 |
| INT | 10 | +0 | +0 |
| WIS | 13 | +1 | +3 |
| CHA | 8 | -1 | -1 |""",
    "threes": """\
| | MOD | SAVE | | MOD | SAVE | | MOD | SAVE |
|---|---|---|---|---|---|---|---|---|
| **Str** 16 | +3 | +5 | **Dex** 12 | +1 | +1 | **Con** 14 | +2 | +2 |
| **Int** 10 | +0 | +0 | **Wis** 13 | +1 | +3 | **Cha** 8 | −1 | −1 |""",
}
