"""Sends every hostile statement to a server over a dataset, and reports what gives way.

python -m benchmarks.hostile_queries DATASET     # Linux; some minutes; exit status 1 if anything gives way
"""

import asyncio
import sys
from pathlib import Path

from benchmarks.hostile_queries.attack import attack, report

if __name__ == "__main__":
    found = asyncio.run(attack(Path(sys.argv[1])))
    report(found)
    sys.exit(1 if found.gave_way else 0)
