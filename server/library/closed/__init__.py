"""Books and things under no open licence, which no dataset has."""
