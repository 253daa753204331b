"""What a desktop client starts: the server on standard input and output."""

import sys

from server.cli import main

if __name__ == "__main__":
    sys.argv = ["lorekeeper", "serve"]
    main()
