"""Data for the course, small enough to learn in front of the reader: generated, written for it, or bundled."""
