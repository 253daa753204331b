"""Many clients for a long time: no wrong answer, no error, no growth, and a speed compared with an empty server's."""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from benchmarks.reliability.calls import CALLS
from benchmarks.reliability.load import Answer, Judge, Load, Seen, ask, clients_of, result_of
from benchmarks.reliability.outcome import Row, say
from benchmarks.served import ALL_TOOLSETS, Held, Served, lorekeeper, served, told
from server.dataset.load import load_dataset
from server.library.library import Library
from server.library.requests.request import RequestError
from server.tools.registry import tool_named

MAY_GROW: Final = 0.05
"""Share by which memory may have grown at the end."""
SLOWEST: Final = 2.0
"""Maximum seconds of a call."""
MAY_HOLD_MORE: Final = 8
"""How many more descriptors and threads there may be at the end: the number of concurrent calls varies."""
LEAST_THROUGHPUT: Final = 0.6
"""Minimum throughput as a share of an empty server's."""
TURNS: Final = 3
"""Number of turns of each of two servers: the speed of machines varies over time."""
SETTLE: Final = 35
"""Seconds after which idle connections are closed, and the process for queries is as it was before."""

EMPTY: Final = """
import json, sys
from dataclasses import replace
from pathlib import Path
from fastmcp import FastMCP
from fastmcp.tools import ToolResult

answers = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
server = FastMCP("empty")

@server.tool
def nothing(number: int) -> ToolResult:
    answer = answers[number]
    return ToolResult(content=answer["content"][0]["text"], structured_content=answer.get("structuredContent"))

server.run("http", show_banner=False, port=int(sys.argv[3]), log_level="error", stateless_http=True, json_response=True)
"""
"""A server that does nothing but send our answers."""


Expected = tuple[dict[str, Any] | None, str]
"""A structured answer, None for a refusal, and its text."""


def run(dataset: Path, work: Path, *, seconds: float, clients: int, seed: int) -> list[Row]:
    """Soak our server for `seconds`, then compare it with an empty one: in turns, for a twentieth of that, no mischief.

    Args:
        dataset: the dataset that is served.
        work: a folder for logs.
        seconds: duration of the soak.
        clients: number of concurrent clients.
        seed: seed of the random choices.
    """
    # In a separate process: with a library in the clients' process, its garbage collector would stop them all.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        expected = process.submit(expectations, dataset).result()
    say(f"soak: {len(CALLS)} distinct calls, {sum(answer is not None for answer, _ in expected)} answered")
    return asyncio.run(_run(dataset, work, expected, seconds, Load(CALLS, clients, seed, _tell)))


def expectations(dataset: Path) -> list[Expected]:
    """The expected answer of each call, from a library without a server."""
    library = Library(load_dataset(dataset))
    library.wait_until_ready()
    found: list[Expected] = []
    try:
        for name, arguments in CALLS:
            tool = tool_named(name)
            assert tool is not None, name
            try:
                answer, text = tool.respond(library, arguments)
                found.append((json.loads(json.dumps(answer)), text))
            except RequestError as refusal:
                found.append((None, " ".join(str(refusal).split())))
    finally:
        library.close()
    return found


def judge_of(expected: Sequence[Expected]) -> Judge:
    """A judge that parses an answer until it is right, and from then on expects the same bytes.

    All clients share a thread: time spent on parsing thousands of answers would count as waiting time of others.
    """
    known: dict[int, bytes] = {}

    def judge(number: int, body: bytes) -> str | None:
        if known.get(number) == body:
            return None
        answer, (structured, text) = result_of(number, body), expected[number]
        if answer.get("structuredContent") != structured or bool(answer.get("isError")) != (structured is None):
            return f"another answer: {json.dumps(answer)[:200]}"
        if answer["content"][0]["text"] != text:
            return "another text"
        known[number] = body
        return None

    return judge


async def _run(dataset: Path, work: Path, expected: Sequence[Expected], seconds: float, load: Load) -> list[Row]:
    right = judge_of(expected)
    short = max(1.0, seconds / 30)
    with lorekeeper(dataset, work / "soak.log", "--toolsets", ALL_TOOLSETS, "--log-level", "warning") as server:
        payload = await _each_once(server)
        await load.ask(server.url, right, short, mischief=True)
        before = server.held()
        seen = await load.ask(server.url, right, seconds, mischief=True)
        most = server.held()
        await asyncio.sleep(SETTLE if seconds > SETTLE else 1)
        after = server.held()
        (work / "answers.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in payload), "utf-8")
        with served(EMPTY, [str(work / "answers.jsonl")], work / "empty.log", {}) as empty:
            nothing = replace(load, calls=[("nothing", {"number": number}) for number in range(len(CALLS))])
            await nothing.ask(empty.url, lambda _number, _body: None, short / 4)
            ours, theirs = Seen(), Seen()
            for _ in range(TURNS):
                ours += await load.ask(server.url, right, short / 2)
                theirs += await nothing.ask(empty.url, lambda _number, _body: None, short / 2)
        log = server.log.read_text("utf-8", "replace")
    seen.wrong += ours.wrong
    soaked = _soaked(seen, log, seconds, load.clients)
    return [soaked, _waited(seen, load.clients), _leaks(before, most, after), _speed(ours, theirs)]


def _tell(so_far: Seen) -> None:
    say(f"soak: {so_far.answers:,} answers, {len(so_far.wrong)} wrong, {so_far.left:,} left early")


async def _each_once(server: Served) -> list[Answer]:
    """Make every call once; returns the answers."""
    async with clients_of(server.url, 1) as client:
        return [await ask(client, number, call) for number, call in enumerate(CALLS)]


def _soaked(seen: Seen, log: str, seconds: float, clients: int) -> Row:
    row = Row(
        f"{clients} clients over HTTP for {seconds:.0f} s, {len(CALLS)} distinct calls of every tool, "
        f"{seen.left:,} of them left in the middle or broken off",
        seen.answers,
        f"{len(seen.wrong)} wrong",
        seen.wrong,
    )
    if lines := log.splitlines():
        row.wrong.append(f"the server logs {len(lines)} lines, such as {lines[0][:200]}")
    return row


def _waited(seen: Seen, clients: int) -> Row:
    cuts = statistics.quantiles(seen.seconds, n=100)
    row = Row(
        f"how long {clients} clients at once waited for an answer",
        seen.answers,
        f"half under {cuts[49]:.2f} s, 99 of 100 under {cuts[98]:.2f} s, the longest {max(seen.seconds):.2f} s",
    )
    slow = sum(seconds > SLOWEST for seconds in seen.seconds)
    row.wrong += [f"{slow:,} took over {SLOWEST:.0f} s"] if slow else []
    return row


def _leaks(before: Held, most: Held, after: Held) -> Row:
    row = Row("what the server holds before and after the soak", 1)
    row.outcome = f"{told(before, after)}; {sum(most.memory) / 1e6:.0f} MB at its end"
    grown = sum(after.memory) / sum(before.memory) - 1
    if grown > MAY_GROW:
        row.wrong.append(f"memory grew by {grown:.0%}")
    if after.descriptors > before.descriptors + MAY_HOLD_MORE:
        row.wrong.append(f"{after.descriptors - before.descriptors} descriptors more")
    if after.threads > before.threads + MAY_HOLD_MORE:
        row.wrong.append(f"{after.threads - before.threads} threads more")
    return row


def _speed(ours: Seen, theirs: Seen) -> Row:
    share = ours.answers / max(theirs.answers, 1)
    row = Row(
        "throughput compared with an empty FastMCP server that sends the same answers, same clients, same time",
        ours.answers,
        f"{share:.0%}",
    )
    if share < LEAST_THROUGHPUT:
        row.wrong.append(f"less than {LEAST_THROUGHPUT:.0%}")
    return row
