"""What students import: the reference implementation, the checks and the plots of the course."""
