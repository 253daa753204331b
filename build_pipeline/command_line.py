"""The commands of `lorekeeper-build`, which make, package and compare datasets.

Each command is a module of `build_pipeline.commands` with an `app`, imported only when it runs.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib.metadata import version
from typing import Final

from cyclopts import App, CycloptsError, Group

from build_pipeline.commands.terminal import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, fail
from build_pipeline.expected import ExpectedError
from server.dataset.manifest import DatasetError
from server.dataset.terminal import without_encoding_errors

app: Final = App(
    name="lorekeeper-build",
    help="Make, package and compare offline datasets of every open D&D 5e rule, spell, monster and item.",
    version=version("lorekeeper-offline"),
    help_format="plaintext",
    group_commands=Group("Options", sort_key=5),
)
_make = partial(app.command, group=Group("Make a dataset", sort_key=1))
_judge = partial(app.command, group=Group("Check and compare", sort_key=2))
_publish = partial(app.command, group=Group("Publish", sort_key=3))
_develop = partial(app.command, group=Group("For developers", sort_key=4))
_make(
    "build_pipeline.commands.all:app",
    name="all",
    help="Make the full dataset and start using it: snapshot, build, check, in one go.",
)
_make(
    "build_pipeline.commands.snapshot:app",
    name="snapshot",
    help="Fetch every object of every API, exactly as sent, into a folder.",
)
_make(
    "build_pipeline.commands.build:app",
    name="build",
    help="Build the dataset of a snapshot: tables, vectors, index and query encoder in one folder.",
)
_make(
    "build_pipeline.commands.orcbrew:app",
    name="orcbrew",
    help="Check homebrew files: `orcbrew check FILE...` lists what they contain and what is damaged.",
)
_judge(
    "build_pipeline.commands.check:app",
    name="check",
    help="Check every fact of a dataset: ranges, sums, text against fields, tables, links, language.",
)
_judge(
    "build_pipeline.commands.diff:app",
    name="diff",
    help="Compare two datasets: entities added, removed, renamed and changed, by document and type, and the schema.",
)
_judge(
    "build_pipeline.commands.report:app",
    name="report",
    help="Write a dataset's report: counts, coverage of columns, problems, plots, changes.",
)
_judge(
    "build_pipeline.commands.eval:app",
    name="eval",
    help="Measure a dataset's search against judged queries; fit the ranking's weights.",
)
_publish(
    "build_pipeline.commands.package:app",
    name="package",
    help="Make the archives, wheel, checksums, release notes and listing of a dataset.",
)
_develop(
    "build_pipeline.commands.vocabulary:app",
    name="vocabulary",
    help="Check the vocabulary: `vocabulary check DATASET` finds lines without effect, `sample` draws pairs to judge.",
)
_develop(
    "build_pipeline.commands.train:app",
    name="train",
    help="Train the sentence encoder on the questions of data/questions.",
)
_develop(
    "build_pipeline.commands.field_types:app",
    name="field-types",
    help="Regenerate the table of the APIs' field types from a snapshot.",
)


def run() -> None:
    """Run the command line. Exit codes: 0 done, 1 a check or the command failed, 2 wrong usage."""
    without_encoding_errors()
    try:
        code = app(sys.argv[1:], result_action="return_value", print_error=False, exit_on_error=False)
    except CycloptsError as error:
        fail(str(error), EXIT_USAGE)
    except (ExpectedError, DatasetError, OSError) as error:
        fail(str(error), EXIT_FAILED)
    except KeyboardInterrupt:
        fail("interrupted", EXIT_INTERRUPTED)
    sys.exit(code)
