"""`lorekeeper`: the entry point, which loads all else where Ctrl-C ends it without a traceback."""

import sys


def main() -> None:
    """Run the command line; the exit code is 130 if it is interrupted."""
    try:
        from server.command_line import run  # noqa: PLC0415 - it takes long enough to be interrupted

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
