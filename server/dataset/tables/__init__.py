"""The tables of a dataset, column by column; `schema.py` lists them."""
