"""Classes, subclasses, species, races, backgrounds and feats of the books, and the options of class features."""
