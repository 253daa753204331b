"""Where this program's datasets are published, according to its package metadata."""

from __future__ import annotations

from importlib.metadata import metadata
from typing import Final
from urllib.parse import urlsplit

LISTING_VARIABLE: Final = "LOREKEEPER_LISTING"

_DISTRIBUTION: Final = "lorekeeper-offline"
_LISTING_LABEL: Final = "Datasets"
_REPOSITORY_LABEL: Final = "Repository"
_GITHUB: Final = "github.com"


def listing_url() -> str | None:
    """URL of the publisher's listing; None if the package names none."""
    return _project_url(_LISTING_LABEL)


def attesting_repository(listing: str) -> str | None:
    """The GitHub repository (`owner/name`) whose workflow attests the archives of a listing.

    None for other publishers' listings, for which this program's publisher cannot vouch.
    """
    repository = urlsplit(_project_url(_REPOSITORY_LABEL) or "")
    if listing != _project_url(_LISTING_LABEL) or repository.hostname != _GITHUB:
        return None
    return repository.path.strip("/").removesuffix(".git")


def _project_url(label: str) -> str | None:
    for entry in metadata(_DISTRIBUTION).get_all("Project-URL") or []:
        name, _, url = entry.partition(",")
        if name.strip() == label:
            return str(url).strip()
    return None
