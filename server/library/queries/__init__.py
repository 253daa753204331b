"""What a query says: its subject, facts, comparisons and denials, and the rest of it without the books it names."""
