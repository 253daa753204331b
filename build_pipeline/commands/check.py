"""`lorekeeper-build check`: checks a dataset's facts for consistency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from cyclopts import App
from rich.table import Table

from build_pipeline.check.checks import EXCEPTIONS_FILE, Checked, Excused, check, read_exceptions
from build_pipeline.check.decisions import applied_corrections
from build_pipeline.check.rule import Evidence
from build_pipeline.commands.terminal import EXIT_FAILED, CommandError, Flag, Json
from build_pipeline.normalize.books.witnesses import witnesses
from build_pipeline.normalize.merging.corrections import Correction, read_corrections
from build_pipeline.release.manifest import RAW_FOLDER
from build_pipeline.resources import DATA
from build_pipeline.snapshot.raw import read_raw_layer
from server.dataset.compatibility import read_table
from server.dataset.manifest import read_manifest
from server.dataset.schema import ENTITY_TABLES
from server.dataset.terminal import Terminal, write, write_error, write_json

_SHOWN: Final = 20
"""Maximum number of facts listed on a terminal; --json and --rule list all."""

app: Final = App(
    name="check",
    help_epilogue=(
        "Exit codes: 0 every fact obeys the rules or is excused, 1 some do not (with --previous: more than in "
        "that dataset), 2 wrong usage."
    ),
)


@app.default
def check_dataset(
    dataset: Path,
    *,
    rule: str | None = None,
    exceptions: Path | None = None,
    corrections: Path | None = None,
    previous: Path | None = None,
    idle: Flag = False,
    as_json: Json = False,
) -> int:
    """Run every rule over every record of a dataset.

    Parameters
    ----------
    dataset
        Folder of the dataset.
    rule
        List every fact that breaks this rule.
    exceptions
        File of allowed exceptions, with reasons. Default: the repository's.
    corrections
        File of corrections to check instead of those that the dataset was built with.
    previous
        An earlier dataset: a rule fails only if more facts break it than in that one.
    idle
        List the exceptions that excuse nothing in this dataset.
    as_json
        Print everything as JSON.
    """
    corrected = read_corrections(corrections) if corrections else applied_corrections(dataset)
    evidence = _evidence(dataset, corrected)
    tables = {table.name: read_table(dataset / table.file, table).to_dicts() for table in ENTITY_TABLES}
    before = {row["rule"]: row["broken"] for row in read_manifest(previous).get("checks", [])} if previous else {}
    found = check(tables, read_exceptions(exceptions or DATA / EXCEPTIONS_FILE), evidence=evidence)
    if rule is not None and rule not in {row["rule"] for row in found.rows()}:
        msg = f"unknown rule {rule!r}; the rules are {', '.join(row['rule'] for row in found.rows())}"
        raise CommandError(msg)
    if as_json:
        facts = {"rules": found.rows(), "findings": [asdict(finding) for finding in found.findings]}
        write_json(facts)
    else:
        _show(found, rule)
        _show_idle(found.idle, listed=idle)
    grown = [row for row in found.rows() if row["broken"] > before.get(row["rule"], 0)]
    for row in grown if previous else ():
        write_error(f"{row['rule']}: {row['broken']:,} broken, {before.get(row['rule'], 0):,} before\n")
    return EXIT_FAILED if grown else 0


def _evidence(dataset: Path, corrections: Sequence[Correction]) -> Evidence:
    """What a dataset was made from; without its raw layer the books cannot be checked, and a line on stderr says so."""
    problems = read_manifest(dataset)["problems"]
    if not (dataset / RAW_FOLDER).is_dir():
        write_error(f"{dataset} has no {RAW_FOLDER} folder: the rules about the books are not checked\n")
        return Evidence((), corrections, problems)
    return Evidence(tuple(witnesses(read_raw_layer(dataset))), corrections, problems)


def _show(found: Checked, rule: str | None) -> None:
    if rule is None:
        rows = found.rows()
        table = Table("rule", "meaning", "checked", "broken", "excepted", box=None)
        for row in rows:
            if row["broken"] or row["excepted"]:
                table.add_row(row["rule"], row["meaning"], *(f"{row[n]:,}" for n in ("checked", "broken", "excepted")))
        if table.row_count:
            Terminal().print(table)
        checked, broken, excepted = (sum(row[n] for row in rows) for n in ("checked", "broken", "excepted"))
        write(f"{len(rows)} rules, {checked:,} facts checked: {broken:,} broken, {excepted:,} excepted with a reason\n")
    listed = [finding for finding in found.broken if rule in {None, finding.rule}]
    for finding in listed if rule else listed[:_SHOWN]:
        write(f"{finding.rule}: {finding.entity}: {finding.message}\n")
    if rule is None and len(listed) > _SHOWN:
        write(f"… and {len(listed) - _SHOWN:,} more; --rule NAME lists those of one rule\n")


def _show_idle(exceptions: Sequence[Excused], *, listed: bool) -> None:
    """Show exceptions that excuse nothing: superfluous in a full dataset, possibly about the rest in a partial one."""
    for excused in exceptions if listed else ():
        write(f"exception that excuses nothing: {excused.rule}: {', '.join(excused.entities)}\n")
    if exceptions and not listed:
        write(f"{len(exceptions):,} exceptions excuse nothing here; --idle lists them\n")
