"""A shape sheet to fill in on the arrows of its diagram."""
