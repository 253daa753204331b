"""`Record`: what the library returns and everything else renders."""

from typing import Any

Record = dict[str, Any]
"""An entity as the library returns it, in full or in summary; unknown facts are null or absent."""
