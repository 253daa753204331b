from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from crawls import keys, take
from origin_server import (
    LEVELS,
    RARITIES,
    SCHOOLS,
    SPELLS,
    Origin,
    gone,
    manners,
    origins,
    rarities,
    reset,
    send,
    serve,
)

from build_pipeline.snapshot.crawl import Homebrew, Snapshot, SnapshotError, SnapshotRequest, StrictError, snapshot
from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.problems import Problem
from build_pipeline.snapshot.raw import RawObject, read_raw_layer, write_endpoint
from build_pipeline.snapshot.swap import LOCK
from build_pipeline.snapshot.web import open5e
from build_pipeline.snapshot.web.origin import Origin as ApiOrigin
from build_pipeline.times import TimeError

PATH = RARITIES.path


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open5e, "PAGE_SIZE", 2)


def only_problem(taken: Snapshot) -> Problem:
    assert len(taken.problems) == 1, taken.problems
    assert taken.info["problems"] == [taken.problems[0].as_row()]
    return taken.problems[0]


def test_all_pages_are_read_losslessly(origin: Origin, tmp_path: Path) -> None:
    first, second = r'{"key":"a","name":"\u00c6", "rank":1.50}', '{"key":"bé","name":"B","rank":2}'
    origin.pages[PATH] = f'{{"count":2, "next":null, "results":[{first} , {second}]}}'.encode()
    take(origin, tmp_path, RARITIES)
    layer = read_raw_layer(tmp_path / "out")["open5e_v2", "itemrarities"]
    assert [obj.text for obj in layer.values()] == [first, second]
    assert layer["a"].url == f"{origin.url}{PATH}?limit=2&page=1"


def test_paging_stays_on_the_given_host(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a", "b", "c", "d", "e")
    taken = take(origin, tmp_path, RARITIES)
    assert keys(taken, RARITIES) == ["a", "b", "c", "d", "e"]
    assert origin.log == [f"{PATH}?limit=2&page={n}" for n in (1, 2, 3)]
    assert not taken.problems


def test_snapshot_json_describes_the_snapshot(origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin.lists[PATH] = rarities("a", "b", "c")
    info = take(origin, tmp_path, RARITIES).info
    assert info == json.loads((tmp_path / "out" / "snapshot.json").read_text())
    (source,) = info["sources"]
    assert source["source"] == "open5e_v2"
    assert source["base_url"] == origin.url
    assert source["fetched_at"] == info["snapshot_at"]
    assert source["endpoints"]["itemrarities"]["count"] == 3
    assert len(source["endpoints"]["itemrarities"]["sha256"]) == 64
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert take(origin, tmp_path, RARITIES).info["snapshot_at"] == "1970-01-02T00:00:00Z"


def test_details_and_children_are_read(origin: Origin, tmp_path: Path) -> None:
    origin.lists[SCHOOLS.path] = [{"index": "abjuration"}, {"index": "luck-(fate)"}]
    for key in ("abjuration", "luck-(fate)"):
        school = f"{SCHOOLS.path}/{key.replace('(', '%28').replace(')', '%29')}"
        origin.pages[school] = {"index": key, "name": key}
        origin.pages[f"{school}/levels"] = [{"index": f"{key}-1", "level": 1}, {"index": f"{key}-2", "level": 2}]
        origin.pages[f"{school}/spells"] = {"count": 1, "results": [{"index": "ward"}]}
    taken = take(origin, tmp_path, SCHOOLS, LEVELS, SPELLS)
    assert not taken.problems
    assert keys(taken, SCHOOLS) == keys(taken, SPELLS) == ["abjuration", "luck-(fate)"]
    assert keys(taken, LEVELS) == ["abjuration-1", "abjuration-2", "luck-(fate)-1", "luck-(fate)-2"]
    assert taken.objects["dnd5e_api", "2014/schools-spells"][0].text == '{"count":1,"results":[{"index":"ward"}]}'
    assert all(target.endswith("?lang=en") for target in origin.log)


def test_a_detail_is_found_by_index_or_listed_url(origin: Origin, tmp_path: Path) -> None:
    path = SCHOOLS.path
    rows = [{"index": "a", "url": f"{path}/dead-a"}, {"index": "b", "url": f"{path}/other-b"}]
    origin.pages[path] = {"count": 2, "results": rows}
    origin.pages |= {f"{path}/a": {"index": "a", "name": "A"}, f"{path}/other-b": {"index": "b", "name": "B"}}
    taken = take(origin, tmp_path, SCHOOLS)
    assert keys(taken, SCHOOLS) == ["a", "b"]
    assert origin.asked("dead-a") == 0


@pytest.mark.parametrize(
    ("detail", "reason"),
    [
        (None, "status 404 Not Found; left out"),
        (["a"], "array instead of an object"),
        ({"index": "c", "name": "C"}, "'c' instead of 'b'"),
        (b"oops", "not JSON"),
        ({"index": "b", "name": 7}, "number instead of string"),
    ],
)
def test_one_bad_detail_is_left_out_and_listed(origin: Origin, tmp_path: Path, detail: Any, reason: str) -> None:
    origin.lists[SCHOOLS.path] = [{"index": "a"}, {"index": "b"}]
    origin.pages[f"{SCHOOLS.path}/a"] = {"index": "a", "name": "A"}
    if detail is not None:
        origin.pages[f"{SCHOOLS.path}/b"] = detail
    taken = take(origin, tmp_path, SCHOOLS)
    assert keys(taken, SCHOOLS) == ["a"]
    problem = only_problem(taken)
    assert problem.raw == "dnd5e_api/2014/magic-schools/b"
    assert reason in problem.reason
    assert problem.page == f"{origin.url}{SCHOOLS.path}/b?lang=en"
    # Once it is right, only it is requested again.
    origin.pages[f"{SCHOOLS.path}/b"] = {"index": "b", "name": "B"}
    origin.log.clear()
    again = take(origin, tmp_path, SCHOOLS)
    assert keys(again, SCHOOLS) == ["a", "b"]
    assert origin.log == [f"{SCHOOLS.path}/b?lang=en"]


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"count": 4}, "count", "says 4, but 3 objects came"),
        ({"count": 1}, "count", "after 2 objects there is another page"),
        ({"count": "3"}, "count", "string instead of number"),
        ({"count": True}, "count", "boolean instead of number"),
        ({"results": None}, "results", "null instead of array"),
        ({"next": f"https://x{PATH}?limit=2&page=1"}, "next", "a loop"),
        ({"next": "https://x/v2/spells/?page=2"}, "next", "not a page of this endpoint"),
        ({"next": 2}, "next", "not a page of this endpoint"),
        ({"count": 2, "next": None, "results": rarities("a", "a")}, "key", "'a' occurs"),
    ],
)
def test_an_endpoint_with_inconsistent_pages_is_skipped(
    origin: Origin, tmp_path: Path, changes: dict[str, Any], field: str, reason: str
) -> None:
    origin.lists[PATH] = rarities("a", "b", "c")
    origin.change = lambda _url, page: page.update(changes)
    taken = take(origin, tmp_path, RARITIES)
    problem = only_problem(taken)
    assert keys(taken, RARITIES) == []
    assert problem.raw == "open5e_v2/itemrarities"
    assert problem.field == field
    assert reason in problem.reason
    assert problem.page.startswith(f"{origin.url}{PATH}?limit=2&page=")
    # The inconsistent pages were not cached.
    origin.change = lambda _url, _page: None
    assert keys(take(origin, tmp_path, RARITIES), RARITIES) == ["a", "b", "c"]


def test_pages_are_fetched_anew_if_rows_moved_between_them(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a", "b", "c", "d")
    origin.faults[f"{PATH}?limit=2&page=2"].append(send("", 403))
    assert only_problem(take(origin, tmp_path, RARITIES)).reason == "status 403 Forbidden; the endpoint is skipped"
    take(origin, tmp_path, RARITIES)
    # The second page expires and the API has a new first object: the cached pages do not match the new one.
    origin.lists[PATH] = rarities("new", "a", "b", "c", "d")
    _drop_from_cache(tmp_path, f"{origin.url}{PATH}?limit=2&page=2")
    taken = take(origin, tmp_path, RARITIES)
    assert not taken.problems
    assert keys(taken, RARITIES) == ["new", "a", "b", "c", "d"]


def _drop_from_cache(folder: Path, url: str) -> None:
    from build_pipeline.snapshot.web.cache import PageCache

    cache = PageCache(folder / "cache")
    cache.forget(url)
    cache.close()


@pytest.mark.parametrize(
    ("row", "where", "reason"),
    [
        ({"key": "b", "name": "B", "rank": "second"}, ("/b", "rank"), "string instead of null or number"),
        ({"key": "b", "name": ["B"], "rank": 2}, ("/b", "name"), "array instead of string"),
        ({"key": 7, "name": "B", "rank": 2}, ("", "results[1].key"), "the key is number 7"),
        ({"slug": "b", "name": "B", "rank": 2}, ("", "results[1].key"), "the key is missing"),
        ("b", ("", "results[1]"), "string instead of an object"),
    ],
)
def test_an_object_with_a_changed_type_is_left_out(
    origin: Origin, tmp_path: Path, row: Any, where: tuple[str, str], reason: str
) -> None:
    origin.lists[PATH] = [rarities("a")[0], row]
    taken = take(origin, tmp_path, RARITIES)
    problem = only_problem(taken)
    assert keys(taken, RARITIES) == ["a"]
    assert (problem.raw.removeprefix("open5e_v2/itemrarities"), problem.field) == where
    assert reason in problem.reason


def test_a_missing_field_is_reported_and_the_objects_are_kept(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = [{"key": "a", "name": "A"}, {"key": "b", "name": "B"}]
    taken = take(origin, tmp_path, RARITIES)
    problem = only_problem(taken)
    assert (problem.field, problem.reason) == ("rank", "missing in 2 of 2 objects, such as a; they are kept")
    assert keys(taken, RARITIES) == ["a", "b"]


def test_unknown_values_and_new_fields_are_not_problems(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = [{"key": "a", "name": "A", "rank": None, "colour": "red"}]
    assert not take(origin, tmp_path, RARITIES).problems


def test_an_empty_endpoint_is_a_problem(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = []
    assert only_problem(take(origin, tmp_path, RARITIES)).reason == "the endpoint is empty"


def test_strict_writes_nothing_and_keeps_the_old_snapshot(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a")
    take(origin, tmp_path, RARITIES, strict=True)
    before = (tmp_path / "out" / "snapshot.json").read_bytes()
    origin.lists[PATH] = [{"key": "a", "name": 1, "rank": 1}]
    with pytest.raises(StrictError) as caught:
        take(origin, tmp_path, RARITIES, strict=True, refresh=True)
    assert [p.field for p in caught.value.problems] == ["name", ""]  # and one object fewer than before
    assert (tmp_path / "out" / "snapshot.json").read_bytes() == before


def test_stale_pages_are_listed_with_their_age(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a")
    take(origin, tmp_path, RARITIES)
    origin.faults[PATH].extend([reset] * 3)
    taken = take(origin, tmp_path, RARITIES, cache_ttl=0)
    assert keys(taken, RARITIES) == ["a"]
    assert not taken.problems
    (page,) = taken.info["stale"]
    assert page["url"] == f"{origin.url}{PATH}?limit=2&page=1"
    assert page["age_seconds"] >= 0
    assert page["fetched_at"] == taken.info["snapshot_at"]


def test_the_same_pages_give_the_same_bytes(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a", "b", "c")
    files = []
    for _ in range(2):
        take(origin, tmp_path, RARITIES)
        files.append({p.name: p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file()})
    assert files[0] == files[1]
    assert set(files[0]) == {"snapshot.json", "itemrarities.parquet", LOCK}
    assert len(origin.log) == 2


def test_homebrew_is_added_to_the_layer(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a")
    brew = RawObject("orcbrew", "spells", "zap", "my.orcbrew", "", '{"name":"Zap"}')
    problem = Problem("orcbrew/my.orcbrew", "a bracket is missing", "my.orcbrew:3:4")
    homebrew = Homebrew([brew], [problem], [problem])
    request = SnapshotRequest(tmp_path / "out", origins(origin.url, RARITIES), homebrew)
    taken = snapshot(request, tmp_path / "cache", manners())
    assert taken.info["sources"][1]["files"] == ["my.orcbrew"]
    assert taken.info["warnings"] == [problem.as_row()]
    assert only_problem(taken) == problem
    read = read_raw_layer(tmp_path / "out")["orcbrew", "spells"]["zap"]
    assert (read.text, read.fetched_at) == (brew.text, taken.info["snapshot_at"])


def test_a_folder_with_other_files_is_not_replaced(origin: Origin, tmp_path: Path) -> None:
    written = tmp_path / "out" / "raw" / "open5e_v2" / "spells.jsonl"
    written.parent.mkdir(parents=True)
    written.write_text("{}")
    with pytest.raises(SnapshotError, match="written by hand"):
        take(origin, tmp_path, RARITIES)
    assert not origin.log


def test_an_older_snapshot_is_replaced_completely(origin: Origin, tmp_path: Path) -> None:
    old = RawObject("open5e_v1", "spells", "old", "u", "2020-01-01T00:00:00Z", "{}")
    write_endpoint(tmp_path / "out", "open5e_v1", "spells", [old])
    (tmp_path / "out" / "notes.txt").write_text("mine")
    origin.lists[PATH] = rarities("a")
    take(origin, tmp_path, RARITIES)
    assert {obj.id for obj in read_raw_layer(tmp_path / "out")} == {"open5e_v2/itemrarities/a"}
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_a_damaged_cache_gives_one_message(origin: Origin, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "http-cache.db").write_bytes(b"no database " * 100)
    with pytest.raises(SnapshotError, match="--cache-dir"):
        take(origin, tmp_path, RARITIES)


def test_pages_fetched_before_the_network_failed_are_not_fetched_again(origin: Origin, tmp_path: Path) -> None:
    origin.lists[PATH] = rarities("a", "b", "c", "d", "e")
    origin.faults[f"{PATH}?limit=2&page=3"].append(gone)
    with pytest.raises(SnapshotError, match="no network"):
        take(origin, tmp_path, RARITIES)
    assert not (tmp_path / "out").exists()
    origin.log.clear()
    back = serve(origin, int(origin.url.rpartition(":")[2]))
    try:
        assert keys(take(origin, tmp_path, RARITIES), RARITIES) == ["a", "b", "c", "d", "e"]
    finally:
        back.shutdown()
        back.server_close()
    assert origin.log == [f"{PATH}?limit=2&page=3"]


def test_a_source_of_files_is_not_fetched(tmp_path: Path) -> None:
    files = ApiOrigin(name="mine", endpoints=(Endpoint("mine", "pages", "/", "key", None),))
    with pytest.raises(SnapshotError, match="mine is a source of files: there is nothing to fetch"):
        snapshot(SnapshotRequest(tmp_path / "out", [files]), tmp_path / "cache", manners())


def test_an_invalid_time_is_refused_before_anything_is_fetched(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(TimeError, match="SOURCE_DATE_EPOCH is 'yesterday', not a Unix time"):
        take(origin, tmp_path, RARITIES)
    assert not origin.log


def test_a_killed_crawl_resumes_with_the_missing_pages(origin: Origin, tmp_path: Path) -> None:
    names = [f"school-{n:02}" for n in range(40)]
    origin.lists[SCHOOLS.path] = [{"index": name} for name in names]
    origin.pages |= {f"{SCHOOLS.path}/{name}": {"index": name, "name": name} for name in names}
    origin.delay = 0.05
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from test_crawl import SCHOOLS, SnapshotRequest, manners, origins, snapshot\n"
        "folder = Path(sys.argv[3])\n"
        "request = SnapshotRequest(folder / 'out', origins(sys.argv[2], SCHOOLS))\n"
        "snapshot(request, folder / 'cache', manners())\n"
    )
    arguments = [sys.executable, "-c", script, str(Path(__file__).parent), origin.url, str(tmp_path)]
    process = subprocess.Popen(arguments, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    deadline = time.monotonic() + 60
    while len(origin.answers) < 12 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    first = len(origin.log)
    assert 12 <= first < 41
    assert not (tmp_path / "out").exists()
    origin.delay = 0
    taken = take(origin, tmp_path, SCHOOLS)
    assert keys(taken, SCHOOLS) == names
    # Only the four requests under way, and one answer being written for each, may be repeated.
    assert len(origin.log) <= 41 + 8
    assert len(origin.log) - first < 41
