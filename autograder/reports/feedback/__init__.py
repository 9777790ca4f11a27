"""One page for each student: points by criterion, what was found, and what to look at."""
