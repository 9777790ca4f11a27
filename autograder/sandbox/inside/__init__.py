"""What runs in the student's process, inside the sandbox, where nothing else of the autograder exists.

Copied into the sandbox. May import: protocol, and the students' edition of course_lib.
"""
