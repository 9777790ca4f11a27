"""Where students' code runs: bubblewrap, a zygote that forks a process for each submission, and the pool of zygotes.

`protocol` is shared by both sides, `inside` is the student's side; the two are copied into the sandbox.
May import: course.
"""
