"""Shell completion."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from server.command_line import app
from server.commands.tool_options import completer
from server.tools.registry import TOOLS
from server.tools.tool import Tool


def offered(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The completions of the last word."""
    with pytest.raises(SystemExit):
        app(["__complete", *words])
    _, _, told = capsys.readouterr().out.partition("\x1fbegin\n")
    return [line.partition("\t")[0] for line in told.splitlines()]


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (("show", "hea"), {"hearth"}),
        (("show", "Hearth", "i"), {"imp"}),
        (("show", "hearth", ""), {"Imp"}),
        (("export", "hearth i"), {"hearth imp"}),
        (("level-up", "pal"), {"paladin"}),
        (("creatures", "--immune-to", "poi"), {"poisoned"}),
        (("creatures", "--forces-saves", "dex"), {"dexterity"}),
        (("suggest", "3,3", "--inflicts", "bli"), {"blinded"}),
        (("spells", "--documents", "srd-2014,srd-20"), {"srd-2014,srd-2014", "srd-2014,srd-2024"}),
        (("install", "cursor", "--documents", "5e-20"), {"5e-2014", "5e-2024"}),
    ],
)
def test_names_and_values_of_the_dataset_are_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tiny_folder: Path, *, words, some
):
    monkeypatch.setenv("LOREKEEPER_DATASET", str(tiny_folder))
    found = offered(capsys, *words)
    assert some <= set(found)
    assert all(each.startswith(words[-1]) for each in found)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_parameter_can_be_completed(monkeypatch: pytest.MonkeyPatch, tiny_folder: Path, tool: Tool):
    monkeypatch.setenv("LOREKEEPER_DATASET", str(tiny_folder))
    context: Any = SimpleNamespace(incomplete="")
    completers = {parameter.name: completer(parameter, tool) for parameter in tool.parameters}
    assert all(isinstance(complete(context), list) for complete in completers.values() if complete)


def test_without_a_dataset_nothing_is_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setenv("LOREKEEPER_HOME", str(tmp_path))
    monkeypatch.delenv("LOREKEEPER_DATASET", raising=False)
    assert offered(capsys, "show", "hea") == []
    monkeypatch.setenv("LOREKEEPER_DATASET", str(tmp_path))
    assert offered(capsys, "show", "hea") == []
