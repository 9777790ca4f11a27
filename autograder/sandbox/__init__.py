"""Where students' code runs: bubblewrap, a warm zygote that forks a process for each submission, and its pool.

`protocol` is what both sides speak, `inside` is the students' side; the two are copied into the sandbox.
May import: course.
"""
