"""What searches need of a dataset: vectors, words, phrases, weights and the query encoder."""
