"""The rules of the books: their outline, and languages and small vocabularies from their tables."""
