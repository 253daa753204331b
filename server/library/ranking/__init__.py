"""What fits a query best, and the text that shows why."""
