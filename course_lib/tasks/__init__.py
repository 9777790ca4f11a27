"""Data for the course, small enough to be learned in front of the reader, and never downloaded."""
