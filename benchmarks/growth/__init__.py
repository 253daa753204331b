"""How the server performs as its dataset grows: synthetic growth of a real dataset, and measurements on it."""
