"""`report.html`: a dataset on one self-contained page, for people."""
