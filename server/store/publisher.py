"""Where this program's datasets are published, as the metadata of its package says."""

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
    """The publisher's listing; None where the package does not name one."""
    return _project_url(_LISTING_LABEL)


def attested_by(listing: str) -> str | None:
    """The GitHub repository (`owner/name`) whose workflow attests the archives of a listing.

    None for listings of others: what they publish, this program's publisher cannot vouch for.
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
