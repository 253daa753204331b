"""Names of things: as the books write them, as players type them, and misspelt."""
