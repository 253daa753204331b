"""How the server fares as its dataset grows: synthetic growth of a real dataset, and what is measured on it."""
