"""What an answer says besides its results: where else to look, what was left out."""
