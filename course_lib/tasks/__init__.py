"""Data for the course: small enough to train on while the reader waits, and never downloaded."""
