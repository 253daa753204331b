"""The documents that a published dataset may contain, declared in `data/allowed_documents.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from build_pipeline.expected import ExpectedError
from build_pipeline.resources import DATA
from build_pipeline.tables import Record
from server.dataset.schema import DOCUMENTS

ALLOWED_DOCUMENTS: Final = DATA / "allowed_documents.toml"
_ORCBREW: Final = "orcbrew"


class AllowListError(ExpectedError):
    """The dataset contains something unpublishable, or the declaration is unreadable; the message lists everything."""


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence: its name in the documents, and where it is published."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class AllowedDocument:
    """A document that may be published.

    Attributes:
        licenses: keys of its licences.
        attribution: its line of credit, if it should replace the sources' own.
        homebrew: whether it is an OrcBrew book; such files name no licence, so the one declared here applies.
    """

    licenses: tuple[str, ...]
    attribution: str | None
    homebrew: bool = False


@dataclass(frozen=True, slots=True)
class AllowList:
    """What may be published: licences by key, documents by key."""

    licenses: dict[str, Licence]
    documents: dict[str, AllowedDocument]

    def attribution(self, document: Record) -> str | None:
        """The line of credit of a row of `documents`."""
        allowed = self.documents.get(document["document_key"])
        declared = allowed.attribution if allowed else None
        return declared or document["attribution"]

    def url(self, license_name: str) -> str | None:
        """Where a licence is published."""
        return next((known.url for known in self.licenses.values() if known.name == license_name), None)


def read_allow_list(path: Path = ALLOWED_DOCUMENTS) -> AllowList:
    """Read a declaration.

    Raises:
        AllowListError: it is not TOML of that form, or a document names an undeclared licence.
    """
    try:
        declared = tomllib.loads(path.read_text(encoding="utf-8"))
        licenses = {key: Licence(entry["name"], entry["url"]) for key, entry in declared["licenses"].items()}
        documents = {
            key: AllowedDocument(
                tuple(entry["licenses"]), entry.get("attribution"), homebrew=entry.get("homebrew", False)
            )
            for key, entry in declared["documents"].items()
        }
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        msg = f"{path} is not a valid list of allowed documents: {error!r}"
        raise AllowListError(msg) from error
    for key, document in documents.items():
        if unknown := sorted(set(document.licenses) - licenses.keys()):
            msg = f"{path}: {key} names the undeclared licence {', '.join(unknown)}"
            raise AllowListError(msg)
    return AllowList(licenses, documents)


def license_names(document: Record) -> list[str]:
    """The licences of a row of `documents`."""
    return [name.strip() for name in (document["license"] or "").split(",") if name.strip()]


def with_declared_licenses(tables: Mapping[str, list[Record]], allowed: AllowList) -> dict[str, list[Record]]:
    """The records, with the licences and credits that are declared for OrcBrew books, which name none themselves."""
    declared = {
        row["document_key"]: {
            "license": ", ".join(allowed.licenses[name].name for name in found.licenses),
            "attribution": found.attribution,
        }
        for row in tables[DOCUMENTS.name]
        if row["source_api"] == _ORCBREW and not row["license"]
        if (found := allowed.documents.get(row["document_key"])) and found.homebrew
    }
    licensed = {
        name: [
            row | {"license": declared[row["document_key"]]["license"]} if _is_of(row, declared) else row
            for row in rows
        ]
        for name, rows in tables.items()
    }
    documents = [row | declared.get(row["document_key"], {}) for row in tables[DOCUMENTS.name]]
    return licensed | {DOCUMENTS.name: documents}


def _is_of(row: Record, documents: Collection[str]) -> bool:
    return row.get("document_key") in documents


def check_allowed(documents: Iterable[Record], allowed: AllowList) -> None:
    """Check documents (rows of the `documents` table) against the declaration.

    Raises:
        AllowListError: a document is not declared, or its sources name other licences.
    """
    complaints = []
    for document in documents:
        key, found = document["document_key"], set(license_names(document))
        declared = allowed.documents.get(key)
        if declared is None:
            complaints.append(f"{key} ({document['document_name']}) is not allowed")
            continue
        expected = {allowed.licenses[name].name for name in declared.licenses}
        if expected != found:
            complaints.append(f"{key} is declared under {_listed(expected)} but comes under {_listed(found)}")
    if complaints:
        msg = f"not to be published: {'; '.join(complaints)}; see data/{ALLOWED_DOCUMENTS.name}"
        raise AllowListError(msg)


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(names)) or "no licence"
