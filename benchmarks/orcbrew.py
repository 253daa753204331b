"""The OrcBrew reader: its speed compared with another reader, what single damages cost, and whether any input stops it.

python benchmarks/orcbrew.py [FILE…] [--fuzz N] [--seed N]     # default: the starter's book, 2,000 mutated inputs
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import edn_format  # type: ignore[import-untyped]
from rich.console import Console
from rich.table import Table

from build_pipeline.normalize.homebrew.orcbrew import drafts
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.snapshot.orcbrew import edn_tokens as tokens
from build_pipeline.snapshot.orcbrew.edn import read
from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, Symbol, write_edn
from build_pipeline.snapshot.orcbrew.files import Source
from build_pipeline.snapshot.orcbrew.model import BrewFile
from build_pipeline.snapshot.orcbrew.reader import read_files, read_orcbrew
from build_pipeline.snapshot.raw import RawLayer

STARTER: Final = Path(__file__).parent.parent / "data" / "starter" / "lantern-coast.orcbrew"
DAMAGES_PER_KIND: Final = 15
_SCRAPS: Final = (
    *'{}[]()"\\#:;,^_@~`\n\r\x00\ufeff\u200b’',
    *("#_", "#{", "# {", "#:a{", "##NaN", "#t ", '\\"', "nil ", "true ", ":key ", ":name ", ":a {", '"B" {'),
    *(":orcpub.dnd.e5/spells {", ":orcbrew/content {", ":disabled? ", "1/0 ", "1e999 ", "007 ", "\\u00"),
)  # fmt: skip


def best_seconds(call: Callable[[], object], repetitions: int = 5) -> float:
    """The shortest of several runs: other work on the machine can only lengthen them."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def comparable(value: object) -> object:  # noqa: PLR0911 - a return a type
    """A value of either reader in plain Python types."""
    if isinstance(value, Keyword):
        return ("keyword", value.text)
    if isinstance(value, edn_format.Keyword):
        return ("keyword", str(value)[1:])
    if isinstance(value, Symbol | edn_format.Symbol):
        return ("symbol", value.text if isinstance(value, Symbol) else str(value))
    if isinstance(value, float) and math.isnan(value):
        return "not a number"
    if isinstance(value, EdnSet | frozenset):
        return ("set", frozenset(map(comparable, value)))
    if isinstance(value, list | tuple | edn_format.ImmutableList):
        return [comparable(v) for v in value]
    if isinstance(value, dict | edn_format.ImmutableDict):
        return {comparable(k): comparable(v) for k, v in value.items()}
    return value


def speeds(paths: list[Path]) -> Table:
    """Megabytes per second of our reader and of edn_format, for the files that both can read."""
    columns = ("file", "MB", "ours MB/s", "edn_format MB/s", "ratio", "same values")
    table = Table(*columns, title="reading EDN, best of 5")
    for path in paths:
        text = path.read_bytes().decode("utf-8-sig", "replace")
        try:
            theirs = comparable(edn_format.loads(text))
            ours = comparable(read(text, located=4).forms[0])
        except Exception as error:  # noqa: BLE001 - edn_format raises whatever comes
            table.add_row(path.name, f"{len(text) / 1e6:.2f}", "", "", "", f"not compared: {type(error).__name__}")
            continue
        our_time = best_seconds(lambda text=text: read(text, located=4))  # type: ignore[misc]
        their_time = best_seconds(lambda text=text: edn_format.loads(text))  # type: ignore[misc]
        size = len(text) / 1e6
        rates = (f"{size:.2f}", f"{size / our_time:.1f}", f"{size / their_time:.1f}", f"{their_time / our_time:.1f}")
        table.add_row(path.name, *rates, "yes" if ours == theirs else "NO")
    return table


def contents(file: BrewFile) -> dict[tuple[str, str, str], str]:
    """Every entity's fields as text, by book, kind and key."""
    return {(e.book.name, e.kind, e.key): write_edn(e.item) for e in file.entities}


def read_text(text: str) -> BrewFile:
    return read_files([Source("x.orcbrew", "x.orcbrew", text.encode("utf-8", "surrogatepass"))])[0]


def damages(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """(kind of damage, damaged text): single brackets and quotes lost or added, each at random places."""
    found = list(tokens.TOKEN.finditer(text))
    starts: dict[str, list[int]] = {"}": [], "]": [], "{": [], '"': [], "in": []}
    for token in found:
        group, at = token.lastindex or 0, token.end()
        if group in {tokens.CLOSER, tokens.OPENER} and token[group] in starts:
            starts[token[group]].append(at - 1)
        elif group == tokens.STRING:
            starts['"'] += [token.start(group) - 1, at - 1]
            starts["in"] += [n for n in range(token.start(group) + 1, at - 2) if text[n - 1] != "\\"][:40]
    gaps = [token.start() for token in found if token.start() > text.index(":key")]
    lost = {"one } lost": "}", "one ] lost": "]", "one { lost": "{", 'one " lost': '"'}
    for _ in range(DAMAGES_PER_KIND):
        for name, mark in lost.items():
            if starts[mark]:
                at = rng.choice(starts[mark])
                yield name, text[:at] + text[at + 1 :]
        at = rng.choice(gaps)
        yield "one } too many", f"{text[:at]}}}{text[at:]}"
        at = rng.choice(starts["in"])
        yield '" inside a text', f'{text[:at]}"{text[at:]}'


def losses(path: Path, rng: random.Random) -> Table:
    """The cost of single damages: missing entities, altered entities, and time."""
    text = path.read_bytes().decode("utf-8-sig", "replace")
    whole = contents(read_text(text))
    results: dict[str, list[tuple[int, int, bool, float]]] = {}
    for name, damaged in damages(text, rng):
        start = time.perf_counter()
        file = read_text(damaged)
        seconds = time.perf_counter() - start
        there = contents(file)
        missing = whole.keys() - there.keys()
        altered = sum(whole.get(key) != fields for key, fields in there.items())
        named = {(f.kind, f.key) for f in file.findings}
        results.setdefault(name, []).append(
            (len(missing), altered, all((k, key) in named for _, k, key in missing), seconds)
        )
    columns = ("damage", "lost: median", "worst", "altered", "unnamed", "slowest s")
    table = Table(*columns, title=f"{DAMAGES_PER_KIND} random damages a kind, {path.name}: {len(whole)} entities")
    for name, rows in results.items():
        lost, altered_counts, named_all, times = zip(*rows, strict=True)
        table.add_row(
            name,
            f"{statistics.median(lost):g}",
            str(max(lost)),
            str(sum(altered_counts)),
            str(named_all.count(False)),
            f"{max(times):.2f}",
        )
    return table


def mutated(seeds: list[bytes], rng: random.Random) -> bytes:
    """A piece of a file, changed in a few places."""
    seed = rng.choice(seeds)
    length = rng.choice((60, 400, 3000))
    at = rng.randrange(max(1, len(seed) - length)) if rng.random() < 0.5 else 0  # noqa: PLR2004
    data = bytearray(seed[at : at + length])
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 5, 50)))
        scrap = rng.choice(_SCRAPS).encode("utf-8", "surrogatepass")
        match rng.randrange(6):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = scrap
            case 2:
                data[at:end] = scrap
            case 3:
                data[at:at] = data[at:end] * rng.choice((1, 2, 200))
            case 4:
                data[at:at] = scrap * rng.choice((1, 3, 300))
            case _ if at < len(data):
                data[at] = rng.randrange(256)
    return bytes(data)


def fuzz(seeds: list[bytes], count: int, rng: random.Random) -> str:
    """Read mutated inputs, down to drafts. Any exception ends the run, with the input written to disk."""
    slowest, total, entities = (0.0, b""), 0.0, 0
    for _ in range(count):
        data = mutated(seeds, rng)
        start = time.process_time()
        try:
            result = read_orcbrew([Source("x.orcbrew", "x.orcbrew", data)])
            layer = RawLayer()
            for obj in result.objects:
                layer.add(obj)
            entities += sum(1 for _ in drafts(layer, Problems()))
            _ = result.findings
        except BaseException:
            Path("fuzz-failure.orcbrew").write_bytes(data)
            raise
        seconds = time.process_time() - start
        total += seconds
        if seconds > slowest[0]:
            slowest = (seconds, data)
    slow = f"slowest {slowest[0]:.3f} s ({len(slowest[1]):,} bytes)"
    return f"{count:,} mutated inputs: nothing raised, {entities:,} drafts, {total:.0f} s in all, {slow}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[STARTER])
    parser.add_argument("--fuzz", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - nothing secret
    console = Console()
    console.print(speeds(options.files))
    console.print(losses(max(options.files, key=lambda path: path.stat().st_size), rng))
    console.print(fuzz([path.read_bytes() for path in options.files], options.fuzz, rng))


if __name__ == "__main__":
    main()
