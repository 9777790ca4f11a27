# Replaces the exams' `grade` by one that gives full marks.
# %% weak
# %% attack
import autograder.exams

autograder.exams.grade = lambda exercise, answer: autograder.exams.EXAMS[exercise].points
