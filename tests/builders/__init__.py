"""What tests of several rooms put in place: classes, submissions, records, weights."""
