"""The D&D 5e API: a list of index rows, then one request per object, and resources below an object's URL."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from build_pipeline.snapshot.endpoints import Endpoint, Fetch
from build_pipeline.snapshot.problems import BrokenEndpointError
from build_pipeline.snapshot.web.field_types import json_type
from build_pipeline.snapshot.web.harvest import Harvest, Reader, read_list
from build_pipeline.snapshot.web.http import FetchError, Page

LANGUAGE: Final = "?lang=en"
"""Without it, the answer may be in the language of the first caller: the server caches answers by URL."""


def _dnd5e(year: int, names: str, table: str | None, no_entities: str = "") -> list[Endpoint]:
    return [
        Endpoint("dnd5e_api", f"{year}/{n}", f"/api/{year}/{n}", "index", table, no_entities, Fetch.DETAILS)
        for n in names.split()
    ]


def _dnd5e_children(
    parent: str, child: str, table: str, fetch: Fetch, *, least: int, least_where: str = ""
) -> Endpoint:
    path = f"/api/2014/{parent}/{{key}}/{child}"
    name, above = f"2014/{parent}-{child}", f"2014/{parent}"
    return Endpoint("dnd5e_api", name, path, "index", table, "", fetch, above, least, least_where)


ENDPOINTS: Final = (
    *_dnd5e(2014, "spells", "spells"),
    *_dnd5e(2014, "monsters", "creatures"),
    *_dnd5e(2014, "equipment magic-items", "equipment"),
    *_dnd5e(2014, "equipment-categories", None, "groups of equipment that every item repeats"),
    *_dnd5e(2014, "classes subclasses races subraces backgrounds feats features traits", "character_options"),
    *_dnd5e(
        2014,
        "rules rule-sections conditions damage-types weapon-properties skills ability-scores magic-schools "
        "languages proficiencies alignments",
        "rules",
    ),
    _dnd5e_children("classes", "levels", "character_options", Fetch.CHILDREN, least=20),
    _dnd5e_children("subclasses", "levels", "character_options", Fetch.CHILDREN, least=1),
    _dnd5e_children("classes", "spells", "spells", Fetch.CHILD, least=1, least_where="spells"),
    *_dnd5e(2024, "monsters", "creatures"),
    *_dnd5e(2024, "equipment magic-items poisons", "equipment"),
    *_dnd5e(2024, "equipment-categories", None, "groups of equipment that every item repeats"),
    *_dnd5e(2024, "classes subclasses species subspecies backgrounds feats features traits", "character_options"),
    *_dnd5e(
        2024,
        "conditions damage-types weapon-properties weapon-mastery-properties skills ability-scores magic-schools "
        "languages proficiencies alignments",
        "rules",
    ),
)
"""Every endpoint of both editions."""


async def read_endpoint(reader: Reader, base_url: str, parents: Sequence[str]) -> None:
    """Read an endpoint into the reader's harvest; `parents` are the keys of its parent endpoint, if it has one.

    Raises:
        BrokenEndpointError: the list is unavailable or inconsistent.
    """
    if reader.harvest.endpoint.fetch is Fetch.DETAILS:
        await read_details(reader, base_url)
    else:
        await read_children(reader, base_url, parents)


async def read_details(reader: Reader, base_url: str) -> None:
    """Read the list of an endpoint, then every object on it.

    Raises:
        BrokenEndpointError: the list is unavailable or inconsistent.
    """
    harvest = reader.harvest
    page = await reader.need(f"{base_url}{harvest.endpoint.path}{LANGUAGE}")
    count, items, _ = read_list(harvest, page)
    if count != len(items):
        raise harvest.broken(page.url, f"says {count}, but {len(items)} rows came", "count")
    listed: dict[str, str] = {}
    for number, item in enumerate(items):
        row = item.value if isinstance(item.value, dict) else {}
        key, url = row.get(harvest.endpoint.key), row.get("url", "")
        if not isinstance(key, str) or not key or not isinstance(url, str):
            harvest.problem(page.url, f"no row with an index: {item.text[:80]}", f"results[{number}]")
            continue
        harvest.keys.append(key)
        listed[key] = url
    harvest.check_keys()
    answers = await asyncio.gather(*(_detail(reader, base_url, key, url) for key, url in listed.items()))
    for key, answer in zip(listed, answers, strict=True):
        if answer is not None and _is_object(harvest, answer, key):
            harvest.add(answer, answer.json.whole, "", key)


async def read_children(reader: Reader, base_url: str, parents: Sequence[str]) -> None:
    """Read the list of objects, or the one object, below the URL of every object of the parent endpoint."""
    harvest = reader.harvest
    path = harvest.endpoint.path
    answers = await asyncio.gather(
        *(_page_or_problem(reader, [f"{base_url}{path.format(key=quote(key))}{LANGUAGE}"], key) for key in parents)
    )
    for parent, page in zip(parents, answers, strict=True):
        if page is None:
            continue
        if harvest.endpoint.fetch is Fetch.CHILD:
            _add_child(reader, page, parent)
        elif isinstance(page.json.whole.value, list):
            _check_number(reader, page, parent)
            for number, item in enumerate(page.json.items):
                harvest.add(page, item, f"[{number}]")
        else:
            harvest.problem(page.url, f"{json_type(page.json.whole.value)} instead of array; left out", key=parent)
    harvest.check_keys()


def _check_number(reader: Reader, page: Page, parent: str) -> None:
    """Record a problem if a parent has fewer objects than it must have."""
    endpoint, found = reader.harvest.endpoint, len(page.json.items)
    expected = endpoint.least_where in reader.parents.get(parent, ()) if endpoint.least_where else True
    if expected and found < endpoint.least:
        reason = f"{found} where there must be at least {endpoint.least}; what was received is kept"
        reader.harvest.problem(page.url, reason, key=parent)


def _add_child(reader: Reader, page: Page, parent: str) -> None:
    """Add an answer that is one object `{count, results}`, under its parent's key."""
    harvest = reader.harvest
    harvest.keys.append(parent)
    try:
        count, items, _ = read_list(harvest, page)
    except BrokenEndpointError as broken:
        reason = broken.problem.reason.replace("the endpoint is skipped", "the object is left out")
        harvest.problem(page.url, reason, broken.problem.field, parent)
        return
    _check_number(reader, page, parent)
    rows = Counter(json.dumps(item.value, sort_keys=True) for item in items)
    if twice := [row for row, times in rows.items() if times > 1]:
        harvest.problem(
            page.url, f"listed more than once: {twice[0][:80]}; what was received is kept", "results", parent
        )
    if count == len(items):
        harvest.add(page, page.json.whole, "", parent)
    else:
        reason = f"says {count}, but {len(items)} rows came; the object is left out"
        harvest.problem(page.url, reason, "count", parent)


async def _detail(reader: Reader, base_url: str, key: str, listed: str) -> Page | None:
    """Fetch the object of a key. Some listed URLs are dead although the one made from the index works."""
    path = f"{reader.harvest.endpoint.path}/{quote(key)}"
    paths = [path] if listed in {"", path} or not listed.startswith("/api/") else [path, listed]
    return await _page_or_problem(reader, [f"{base_url}{p}{LANGUAGE}" for p in paths], key)


async def _page_or_problem(reader: Reader, urls: Sequence[str], key: str) -> Page | None:
    """The first page that exists; None, and a problem of `key`, if there is none."""
    failure = FetchError("no URL")
    for url in urls:
        try:
            return await reader.get(url)
        except FetchError as error:
            failure = error
            if not error.gone:
                break
    reader.harvest.problem(urls[0], f"{failure}; left out", key=key)
    return None


def _is_object(harvest: Harvest, page: Page, key: str) -> bool:
    """Whether the answer is the object of that key; if not, it becomes a problem."""
    value = page.json.whole.value
    found = value.get(harvest.endpoint.key) if isinstance(value, dict) else None
    if not isinstance(value, dict):
        harvest.problem(page.url, f"{json_type(value)} instead of an object; left out", key=key)
    elif found != key:
        harvest.problem(page.url, f"{found!r} instead of {key!r}; left out", harvest.endpoint.key, key)
    return found == key
