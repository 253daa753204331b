"""`lorekeeper-build snapshot`: fetches every API endpoint, reads homebrew files, and writes the raw layer to disk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, make_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import stamina.instrumentation
from cyclopts import App, Parameter, Token
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn

from build_pipeline.commands.caches import http_cache
from build_pipeline.commands.progress import Bars
from build_pipeline.commands.terminal import EXIT_FAILED, EXIT_USAGE, Flag, Json, fail
from build_pipeline.snapshot.crawl import (
    Snapshot,
    SnapshotRequest,
    StrictError,
)
from build_pipeline.snapshot.crawl import snapshot as take_snapshot
from build_pipeline.snapshot.orcbrew.homebrew import read_homebrew
from build_pipeline.snapshot.problems import Problem
from build_pipeline.snapshot.web import srd
from build_pipeline.snapshot.web.http import CACHE_TTL, ERROR_TTL, Manners
from build_pipeline.snapshot.web.origin import Origin
from build_pipeline.sources import SOURCES
from server.dataset.terminal import write, write_error, write_json

_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 24 * 3600}
_SHOWN: Final = 20

_WEB: Final = [source for source in SOURCES if source.fetch]
_SITES: Final = {source.site: source for source in _WEB}


def _seconds(_type: type[float], tokens: Sequence[Token]) -> float:
    """A duration such as 7d, 12h, 5m, 30s in seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", tokens[0].value.strip())
    if match is None:
        msg = f"{tokens[0].value!r} is not a duration; write for example 7d, 12h, 5m or 30s"
        raise ValueError(msg)
    return float(match[1]) * _UNITS[match[2]]


def _http_url(_type: type[str], value: str) -> None:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query or parts.fragment:
        msg = f"{value!r} is not a base URL; write for example https://api.example.org"
        raise ValueError(msg)


_NAMES: Final = tuple(source.name for source in SOURCES)
SourceName = Literal[_NAMES]  # type: ignore[valid-type]
Duration = Annotated[float, Parameter(converter=_seconds)]


def _base_url_option(site: str, base_url: str) -> tuple[str, Any, Any]:
    """The field for `--<site>-url`."""
    about = f"Base URL of {', '.join(source.name for source in _WEB if source.site == site)}."
    return f"{site}_url", Annotated[str, Parameter(validator=_http_url, help=about)], field(default=base_url)


BaseUrls: Final = make_dataclass(
    "BaseUrls",
    [_base_url_option(site, source.base_url) for site, source in _SITES.items()],
    frozen=True,
    namespace={"__module__": __name__},  # otherwise the command line takes it for a built-in type
)
"""The base URLs, one option per site in the table of sources."""

app: Final = App(
    name="snapshot",
    help_epilogue=(
        "Asks politely, at most 4 requests at a time per host, and keeps every page on disk: interrupted and started "
        "again, it fetches only what is missing. Exit codes: 0 everything is there, 1 something could not be used "
        "(listed on stderr and in snapshot.json), 2 wrong usage."
    ),
)


@app.default
def snapshot(
    *,
    out: Path,
    urls: Annotated[BaseUrls, Parameter(name="*")] = BaseUrls(),  # type: ignore[valid-type]  # noqa: B008
    srd_dir: Path | None = None,
    orcbrew: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative="", show_default=False)] = (),
    sources: Annotated[
        tuple[SourceName, ...], Parameter(consume_multiple=True, negative="", show_default=lambda _: "all")
    ] = _NAMES,
    refresh: Flag = False,
    strict: Flag = False,
    cache_dir: Path | None = None,
    cache_ttl: Annotated[Duration, Parameter(show_default=lambda _: "7d")] = CACHE_TTL,
    error_ttl: Annotated[Duration, Parameter(show_default=lambda _: "5m")] = ERROR_TTL,
    quiet: Flag = False,
    as_json: Json = False,
) -> int:
    """Fetch every object of every API, exactly as sent, into a folder.

    Parameters
    ----------
    out
        Folder to write: raw/<source>/<endpoint>.parquet and snapshot.json.
    srd_dir
        Folder to read the books' files from instead of fetching them: repositories as OWNER/NAME/COMMIT/…
    orcbrew
        Homebrew files: .orcbrew files, folders or globs.
    sources
        The sources to fetch.
    refresh
        Use nothing from the cache.
    strict
        Write nothing if there is any problem.
    cache_dir
        Folder of the HTTP cache. Default: the folder http in LOREKEEPER_CACHE, or in the user's cache folder.
    cache_ttl
        How long a cached page is used before it is revalidated: 7d, 12h, 5m or 30s; a bare number is seconds.
    error_ttl
        How long a failed page is not requested again if an older copy can be used; written the same way.
    quiet
        No progress and no summary, only problems.
    as_json
        Print the summary as JSON.
    """
    if set(sources) == {"orcbrew"} and not orcbrew:
        fail("the source orcbrew consists of your own files: name them with --orcbrew", EXIT_USAGE)
    # No warning for a retry: permanent failures are reported.
    stamina.instrumentation.set_on_retry_hooks([])
    homebrew = read_homebrew(orcbrew)
    origins = [origin for origin in web_sources(urls, srd_dir) if origin.name in sources]
    request = SnapshotRequest(out, origins, homebrew, strict=strict)
    manners = Manners(cache_ttl=cache_ttl, error_ttl=error_ttl, refresh=refresh)
    cache = http_cache(cache_dir)
    try:
        with SourceBars(origins, quiet=quiet or as_json) as bars:
            taken = take_snapshot(request, cache, manners, bars)
    except StrictError as error:
        list_problems(error.problems)
        raise
    list_problems(taken.problems)
    if as_json:
        write_json(_summary(out, taken))
    elif not quiet:
        _print_summary(out, taken)
    return EXIT_FAILED if taken.problems else 0


def web_sources(urls: BaseUrls, srd_dir: Path | None) -> list[Origin]:  # type: ignore[valid-type]
    """The sources to fetch.

    Args:
        urls: their base URLs.
        srd_dir: folder to read the books from instead.
    """
    origins: list[Origin] = [replace(source, base_url=getattr(urls, f"{source.site}_url")) for source in _WEB]
    if srd_dir is None:
        return origins
    read = srd.folder_reader(srd_dir)
    return [replace(o, base_url=str(srd_dir), fetch=read) if o.name == "srd" else o for o in origins]


def _summary(out: Path, taken: Snapshot) -> dict[str, object]:
    counts: Counter[str] = Counter()
    for (source, _), objects in taken.objects.items():
        counts[source] += len(objects)
    return {
        "out": str(out),
        "snapshot_at": taken.info["snapshot_at"],
        "objects": dict(counts),
        "requests": taken.requests,
        "stale": taken.info["stale"],
        "problems": taken.info["problems"],
        "warnings": taken.info["warnings"],
    }


def _print_summary(out: Path, taken: Snapshot) -> None:
    objects = sum(len(o) for o in taken.objects.values())
    lines = [f"{out}: {objects:,} objects of {len(taken.objects)} endpoints; {taken.requests:,} requests"]
    if stale := taken.info["stale"]:
        oldest = max(page["age_seconds"] for page in stale) / 3600
        lines.append(f"{len(stale)} stale page(s), up to {oldest:.1f} hours old, were used where an API failed")
    if warnings := taken.info["warnings"]:
        lines.append(f"{len(warnings)} doubtful value(s) in homebrew files were kept as they are; see snapshot.json")
    write("\n".join(lines) + "\n")


def list_problems(problems: Sequence[Problem]) -> None:
    """Print the first problems to stderr, one line each; snapshot.json and --json have them all."""
    for problem in problems[:_SHOWN]:
        write_error(f"{' '.join(str(problem).split())}\n")
    if len(problems) > _SHOWN:
        write_error(f"… and {len(problems) - _SHOWN} more problems\n")


class SourceBars(Bars):
    """A progress bar per source: endpoints done, with the pages and objects so far."""

    def __init__(self, origins: Iterable[Origin], *, quiet: bool) -> None:
        so_far = TextColumn("{task.fields[so_far]}")
        super().__init__(TextColumn("{task.description}"), BarColumn(), so_far, TimeElapsedColumn(), quiet=quiet)
        self._of: dict[str, TaskID] = {
            origin.name: self.add_task(origin.name, total=len(origin.endpoints), so_far="") for origin in origins
        }
        self._pages: Counter[str] = Counter()
        self._objects: Counter[str] = Counter()

    def page(self, source: str) -> None:
        self._pages[source] += 1
        self._show(source, 0)

    def endpoint(self, source: str, objects: int) -> None:
        self._objects[source] += objects
        self._show(source, 1)

    def _show(self, source: str, advance: int) -> None:
        so_far = f"{self._objects[source]:,} objects, {self._pages[source]:,} pages"
        self.update(self._of[source], advance=advance, so_far=so_far)
