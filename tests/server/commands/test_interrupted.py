"""Ctrl-C while a command is still loading."""

import subprocess
import sys

import pytest

INTERRUPTED = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "cyclopts":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from {module} import main
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("module", ["server.cli", "build_pipeline.cli"])
def test_an_interrupted_start_prints_no_traceback(module: str):
    command = [sys.executable, "-c", INTERRUPTED.format(module=module), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
