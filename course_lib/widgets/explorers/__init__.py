"""One explorer for each unit: sliders around the student's own function."""
