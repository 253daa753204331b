"""Settings from texts, options and the environment."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.library.library import ENCODE_TIMEOUT, MAX_RESPONSE_CHARS, Library
from server.settings import (
    ENCODE_TIMEOUT_VARIABLE,
    MAX_RESPONSE_VARIABLE,
    SettingsError,
    open_library,
    read_public_url,
    read_token,
)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (None, ""),
        ("  ", ""),
        ("https://lore.example/", "https://lore.example"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_public_url_names_a_whole_host(text, url):
    assert read_public_url(text) == url


@pytest.mark.parametrize(
    "text",
    ["lore.example", "ftp://lore.example", "https://", "https://a/b", "https://a?b", "https://me@a", "http://a:x"],
)
def test_other_public_urls_are_refused(text):
    with pytest.raises(SettingsError, match="--public-url"):
        read_public_url(text)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        (None, ""),
        (" \n", ""),
        ("sixteen letters.\n", "sixteen letters."),
        ("more than two words", "more than two words"),
    ],
)
def test_space_around_a_token_is_ignored(text, token):
    assert read_token(text) == token


@pytest.mark.parametrize("text", ["x", "fifteen letters", f"secret{' ' * 20}"])
def test_a_guessable_token_is_refused(text):
    with pytest.raises(SettingsError, match=r"LOREKEEPER_TOKEN has \d+ characters; .* at least 16, .*openssl"):
        read_token(text)


@pytest.fixture
def timeouts(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The `encode_timeout` of each library that is opened."""
    given: list[float] = []
    opened = Library.__init__

    def noting(self: Library, *args: Any, encode_timeout: float, **kwargs: Any) -> None:
        given.append(encode_timeout)
        opened(self, *args, encode_timeout=encode_timeout, **kwargs)

    monkeypatch.setattr(Library, "__init__", noting)
    return given


@pytest.mark.parametrize(
    ("variable", "option", "most"),
    [("", None, MAX_RESPONSE_CHARS), ("", 50_000, 50_000), ("2000", None, 2_000), (" 3000.0 ", 50_000, 3_000)],
)
def test_the_response_budget_comes_from_option_or_environment(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str, option: int | None, most: int
):
    monkeypatch.setenv(MAX_RESPONSE_VARIABLE, variable)
    library = open_library(tiny_folder, max_chars=option)
    library.close()
    assert library.max_response_chars == most


@pytest.mark.parametrize(("variable", "seconds"), [("", ENCODE_TIMEOUT), ("0", 0), ("2.5", 2.5)])
def test_the_encode_timeout_comes_from_the_environment(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch, timeouts: list[float], variable: str, seconds: float
):
    monkeypatch.setenv(ENCODE_TIMEOUT_VARIABLE, variable)
    open_library(tiny_folder).close()
    assert timeouts == [seconds]


@pytest.mark.parametrize(
    ("variable", "value", "least"),
    [
        (MAX_RESPONSE_VARIABLE, "1999", "2000"),
        (MAX_RESPONSE_VARIABLE, "inf", "2000"),
        (ENCODE_TIMEOUT_VARIABLE, "-1", "0"),
        (ENCODE_TIMEOUT_VARIABLE, "nan", "0"),
        (ENCODE_TIMEOUT_VARIABLE, "soon", "0"),
    ],
)
def test_numbers_in_the_environment_have_a_minimum(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, least: str
):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=f"^{variable} cannot be '{value}'; it takes a number of at least {least}$"):
        open_library(tiny_folder)


LOGGING = """
import logging, sys
from server.settings import configure_logging
configure_logging(sys.argv[1])
for name in ("lorekeeper", "server.library", "uvicorn.error", "httpx"):
    for level in (logging.DEBUG, logging.INFO, logging.WARNING):
        logging.getLogger(name).log(level, "said")
"""


@pytest.mark.parametrize(
    ("level", "own", "others"),
    [
        ("debug", ["DEBUG", "INFO", "WARNING"], ["DEBUG", "INFO", "WARNING"]),
        ("info", ["INFO", "WARNING"], ["WARNING"]),
        ("warning", ["WARNING"], ["WARNING"]),
        ("error", [], []),
    ],
)
def test_libraries_log_only_warnings_except_at_level_debug(level: str, own: list[str], others: list[str]):
    """In a new process, as logging is per process."""
    done = subprocess.run([sys.executable, "-c", LOGGING, level], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        *(f"{said} {name}: said" for name in ("lorekeeper", "server.library", "uvicorn.error") for said in own),
        *(f"{said} httpx: said" for said in others),
    ]


def test_the_framework_checks_no_updates_and_reads_no_files_by_default():
    """FastMCP's settings as it reads them, in a new process."""
    program = (
        "from server.settings import quiet_framework; quiet_framework(); import fastmcp; s = fastmcp.settings; "
        "print(s.check_for_updates, s.log_enabled, s.show_server_banner)"
    )
    unset = {name: value for name, value in os.environ.items() if not name.startswith("FASTMCP_")}
    for chosen, read in (({}, "off False False"), ({"FASTMCP_CHECK_FOR_UPDATES": "stable"}, "stable False False")):
        words = [sys.executable, "-c", program]
        done = subprocess.run(words, env=unset | chosen, capture_output=True, text=True, check=True)
        assert (done.stdout.strip(), done.stderr) == (read, "")
