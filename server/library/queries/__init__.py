"""What a query says: its subject, facts, comparisons and denials."""
