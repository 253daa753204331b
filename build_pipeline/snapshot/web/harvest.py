"""Reading one endpoint: its pages, the objects on them, and problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.problems import BrokenEndpointError, Problem
from build_pipeline.snapshot.raw import RawObject
from build_pipeline.snapshot.web.field_types import empty_lists, json_type, lacking_one, mismatches, missing_fields
from build_pipeline.snapshot.web.http import Answer, FetchError, Page, PoliteClient
from build_pipeline.snapshot.web.json_text import Item


class Progress(Protocol):
    """Receives progress notifications of a snapshot."""

    def page(self, source: str) -> None:
        """A page was read."""

    def endpoint(self, source: str, objects: int) -> None:
        """An endpoint is complete."""


@dataclass
class Harvest:
    """The result of reading one endpoint.

    Attributes:
        endpoint: the endpoint.
        objects: the usable objects, in the API's order.
        keys: the keys of all objects the API lists, usable or not.
        problems: what could not be used, or only partly.
        pages: the pages and files read.
        skipped: whether the pages do not fit together, so that nothing from them is used.
    """

    endpoint: Endpoint
    objects: list[RawObject] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    pages: list[Answer] = field(default_factory=list)
    skipped: bool = False

    @property
    def name(self) -> str:
        """`<source>/<endpoint>`, as used in problems."""
        return f"{self.endpoint.source}/{self.endpoint.name}"

    def problem(self, page: str, reason: str, field: str = "", key: str = "") -> None:
        """Record a problem with the endpoint, or with its object `key`."""
        self.problems.append(Problem(f"{self.name}/{key}" if key else self.name, reason, page, field))

    def broken(self, page: str, reason: str, field: str = "") -> BrokenEndpointError:
        """The error to raise if the whole endpoint is unusable."""
        return BrokenEndpointError(Problem(self.name, f"{reason}; the endpoint is skipped", page, field))

    def add(self, page: Page, item: Item, position: str, key: str | None = None) -> None:
        """Add an object from a page, or record why it is skipped.

        Args:
            page: the page it is on.
            item: the object.
            position: where on the page it is, for messages about objects without a key.
            key: its key, if that is not one of its fields.
        """
        if not isinstance(item.value, dict):
            self.problem(page.url, f"{json_type(item.value)} instead of an object; left out", position)
            return
        if key is None:
            key = item.value.get(self.endpoint.key)
            if not isinstance(key, str) or not key:
                found = "is missing" if key is None else f"is {json_type(key)} {key!r}, not a name"
                self.problem(page.url, f"the key {found}; the object is left out", f"{position}.{self.endpoint.key}")
                return
            self.keys.append(key)
        wrong = list(mismatches(self.endpoint.source, self.endpoint.name, item.value))
        for mismatch in wrong:
            reason = f"the type changed: {mismatch.found} instead of {mismatch.expected}; the object is left out"
            self.problem(page.url, reason, mismatch.field, key)
        if not wrong:
            source, name = self.endpoint.source, self.endpoint.name
            self.objects.append(RawObject(source, name, key, page.url, page.fetched_at, item.text))

    def check_keys(self) -> None:
        """Check that keys are unique.

        Raises:
            BrokenEndpointError: a duplicate; rows moved between pages during the crawl, so others are missing.
        """
        key, times = max(Counter(self.keys).items(), key=lambda pair: pair[1], default=("", 0))
        if times > 1:
            where = next((o.url for o in reversed(self.objects) if o.key == key), self.pages[-1].url)
            raise self.broken(where, f"{key!r} occurs {times} times", self.endpoint.key)

    def check_fields(self) -> None:
        """Record fields that are unexpectedly missing or empty in objects: one problem per field and page."""
        lacking: dict[tuple[str, str], list[RawObject]] = {}
        for obj in self.objects:
            for name in missing_fields(obj.source, obj.endpoint, obj.data):
                lacking.setdefault((name, "missing"), []).append(obj)
            for name in empty_lists(obj.source, obj.endpoint, obj.data):
                lacking.setdefault((name, "an empty list"), []).append(obj)
        for name, obj in lacking_one(self.endpoint.source, self.endpoint.name, self.objects):
            lacking.setdefault((name, "missing"), []).append(obj)
        for (name, what), objects in lacking.items():
            reason = f"{what} in {len(objects)} of {len(self.objects)} objects, such as {objects[0].key}; they are kept"
            for page in dict.fromkeys(obj.url for obj in objects):
                self.problem(page, reason, name)


@dataclass
class Reader:
    """Reads pages for one harvest.

    Attributes:
        client: the client.
        harvest: records the pages.
        progress: notified of every page.
        parents: the objects of the parent endpoint by key, if it has one.
    """

    client: PoliteClient
    harvest: Harvest
    progress: Progress
    parents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    async def get(self, url: str) -> Page:
        """Fetch a page.

        Raises:
            FetchError: there is none.
        """
        page = await self.client.get(url)
        self._note(page)
        return page

    async def get_file(self, url: str) -> Answer:
        """Fetch a file of any format.

        Raises:
            FetchError: there is none.
        """
        file = await self.client.get_file(url)
        self._note(file)
        return file

    async def need(self, url: str) -> Page:
        """Fetch a page without which the endpoint is unusable.

        Raises:
            BrokenEndpointError: there is none.
        """
        try:
            return await self.get(url)
        except FetchError as error:
            raise self.harvest.broken(url, str(error)) from error

    def _note(self, answer: Answer) -> None:
        self.harvest.pages.append(answer)
        self.progress.page(self.harvest.endpoint.source)


def read_list(harvest: Harvest, page: Page) -> tuple[int, tuple[Item, ...], dict[str, Any]]:
    """(count, items, whole page) of a list page `{count, results, …}`.

    Raises:
        BrokenEndpointError: the page is not of that form.
    """
    whole = page.json.whole.value
    if not isinstance(whole, dict):
        raise harvest.broken(page.url, f"{json_type(whole)} instead of a page of results")
    count, results = whole.get("count"), whole.get("results")
    if not isinstance(results, list):
        raise harvest.broken(page.url, _instead("results", whole, "array"), "results")
    if type(count) is not int:
        raise harvest.broken(page.url, _instead("count", whole, "number"), "count")
    return count, page.json.items, whole


def _instead(name: str, whole: dict[str, Any], expected: str) -> str:
    return f"{json_type(whole[name])} instead of {expected}" if name in whole else "missing"
