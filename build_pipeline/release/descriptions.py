"""The files that describe a dataset to people and machines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from build_pipeline.release.allowed import read_allow_list
from build_pipeline.release.card import CARD_FILE, card
from build_pipeline.release.comparison.compare import compare
from build_pipeline.release.contents import Contents
from build_pipeline.release.croissant import CROISSANT_FILE, croissant
from build_pipeline.release.datapackage import DATAPACKAGE_FILE, datapackage
from build_pipeline.release.notice import notice
from build_pipeline.release.report.page import REPORT_FILE, report
from build_pipeline.text_files import write_text
from server.dataset.files import NOTICE_FILE
from server.dataset.manifest import Manifest


def write_descriptions(
    folder: Path, manifest: Manifest, licenses: Mapping[str, str], previous: Path | None = None
) -> None:
    """Write the notice, the card, the data package, the Croissant metadata and the report next to the tables.

    Args:
        folder: the dataset's folder, still without a manifest.
        manifest: the dataset's manifest, with `files` still empty.
        licenses: licence name → its text.
        previous: the previous dataset, for the comparison in the report.
    """
    contents = Contents.of(folder)
    allowed = read_allow_list()
    comparison = compare(previous, folder, manifest) if previous is not None else None
    for name, text in {
        NOTICE_FILE: notice(contents.documents, allowed, licenses),
        CARD_FILE: card(contents, manifest),
        DATAPACKAGE_FILE: datapackage(contents, manifest, allowed),
        CROISSANT_FILE: croissant(folder, contents, manifest, allowed),
        REPORT_FILE: report(folder, contents, manifest, comparison),
    }.items():
        write_text(folder / name, text)
