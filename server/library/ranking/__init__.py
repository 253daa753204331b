"""What fits a query best: the terms of the ranking, each by itself, their sum, and the text that shows why."""
