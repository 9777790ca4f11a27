"""What instructors run: exams, the build, class directories and the `course` command.

One package a room, from the bottom up: course, exam_types, sandbox, exams, classroom, examiner, authoring, gradebook,
lab, reports, grading, nbgrader_plugins, terminal, demo, cli. A package imports only packages before it in this list;
ARCHITECTURE.md walks through them.
"""
