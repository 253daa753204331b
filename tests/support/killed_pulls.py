"""Pulls that are killed one step later each time, with a report on what each left.

A step is every opening for writing, creation, renaming and removal of a file or folder, from Python's audit events,
and every block that arrives. Run as: killed_pulls.py SETTLED_HOME WORK_FOLDER LISTING_URL. Prints one JSON object a
death: the step, the version in use, what is wrong with it; of some also the version in use and what is left over after
one more, undisturbed, pull.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

from server.dataset.load import damaged_files
from server.dataset.manifest import read_manifest
from server.store.home import Home
from server.store.pull import PullProgress, pull

CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate"}
PULLED_AGAIN = 4
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def die_at(last: int) -> Callable[[], None]:
    """Kill this process at step number `last`; the returned function counts a step without an audit event."""
    steps = count(1)

    def step() -> None:
        if next(steps) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple) -> None:
        if event in CHANGES or (event == "open" and arguments[2] & WRITING):
            step()

    sys.addaudithook(hook)
    return step


def in_a_child(act: Callable[[], object]) -> int:
    """The wait status of a forked child that runs a function."""
    child = os.fork()
    if not child:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1]


def main(settled: Path, work: Path, url: str) -> None:
    undisturbed = PullProgress(stage=lambda _: None, transferred=lambda _done, _total: None)
    for last in count(1):
        home = Home(work / str(last))
        shutil.copytree(settled, home.root)

        def killed(home: Home = home, last: int = last) -> None:
            step = die_at(last)
            pull(home, None, url, PullProgress(stage=lambda _: step(), transferred=lambda _done, _total: step()))

        status = in_a_child(killed)
        if status == 0:
            return
        if not os.WIFSIGNALED(status):
            sys.exit("the pull failed by itself")
        in_use = home.current()
        folder = home.folder(in_use)
        home.check_manifest(folder)
        wrong = damaged_files(folder, read_manifest(folder))
        death = {"step": last, "in_use": in_use, "wrong": wrong}
        if last % PULLED_AGAIN == 0:
            if in_a_child(lambda home=home: pull(home, None, url, undisturbed)):
                sys.exit(f"no pull after a death at step {last}")
            left = [str(path) for name in ("work", "downloads") for path in (home.root / name).rglob("*")]
            death |= {"after": home.current(), "left": left}
        sys.stdout.write(f"{json.dumps(death)}\n")
        sys.stdout.flush()  # or the next child prints the line again
        shutil.rmtree(home.root)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
