"""`python -m benchmarks.reliability`."""

from benchmarks.reliability.cli import main

if __name__ == "__main__":
    main()
