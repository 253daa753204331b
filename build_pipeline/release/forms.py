"""The dataset's other forms as files of a release: one zip each of SQLite, JSON lines and CSV."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from build_pipeline.release.card import CARD_FILE
from server.dataset.files import NOTICE_FILE
from server.dataset.forms.forms import FORMS, Frames, read_frames
from server.dataset.listing import archive_root

_OLDEST: Final = 315_532_800
"""The first second of 1980, the earliest time that a zip can store."""


def write_forms(dataset: Path, out: Path, version: str, modified: int) -> list[Path]:
    """Write every form as a zip, which any system opens: the same bytes for the same dataset.

    Each has the dataset's card and its notice of licences next to the data.

    Args:
        dataset: the dataset's folder.
        out: the folder of the release.
        version: the dataset's version.
        modified: time stamp of every member, in seconds since 1970.
    """
    frames = read_frames(dataset)
    return [_write_zip(form, frames, dataset, out / f"{archive_root(version)}-{form}.zip", modified) for form in FORMS]


def _write_zip(form: str, frames: Frames, dataset: Path, path: Path, modified: int) -> Path:
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".form.") as work:
        root = Path(work) / path.stem
        root.mkdir()
        FORMS[form](root / f"{path.stem}.sqlite" if form == "sqlite" else root, frames)
        for name in (CARD_FILE, NOTICE_FILE):
            shutil.copyfile(dataset / name, root / name)
        time = datetime.fromtimestamp(max(modified, _OLDEST), UTC).timetuple()[:6]
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for file in sorted(root.iterdir()):
                member = zipfile.ZipInfo(f"{root.name}/{file.name}", time)
                member.external_attr = 0o644 << 16
                member.create_system = 3  # Unix, wherever it is written
                member.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(member, "w") as stream, file.open("rb") as content:
                    shutil.copyfileobj(content, stream, 1 << 20)
    return path
