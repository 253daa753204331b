"""`python -m benchmarks.assistant`."""

from benchmarks.assistant.cli import main

main()
