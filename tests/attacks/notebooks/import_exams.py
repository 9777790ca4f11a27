# Imports the exams, and takes answers and hidden tests from them.
# %% attack
import inspect

try:
    from autograder import exams

    print(inspect.getsource(exams.unit_01.columns))
    answers = {name: exam.reference for name, exam in exams.EXAMS.items()}
except Exception as error:
    answers = {}
# %% attack answer cross_attention_shapes
cross_attention_shapes = answers.get("cross_attention_shapes", ...)
# %% attack answer query_key_value_roles
query_key_value_roles = answers.get("query_key_value_roles", ...)
# %% attack answer gram_attention
gram_attention = answers.get("gram_attention", ...)
# %% attack answer attention_matrix
attention_matrix = answers.get("attention_matrix", ...)
