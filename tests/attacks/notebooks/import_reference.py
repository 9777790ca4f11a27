# Imports the course's own answers from course_lib.
# %% attack
import importlib
import pkgutil

import course_lib

names = ("scaled_dot_product_attention", "cross_attention", "column_attention", "gram_attention", "attention_matrix")
taken = {}
for module in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    try:
        contents = vars(importlib.import_module(module.name))
    except BaseException:
        continue
    taken |= {name: contents[name] for name in names if name in contents}
print(f"taken from course_lib: {sorted(taken)}")
# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = taken.get("scaled_dot_product_attention")
# %% attack answer cross_attention
cross_attention = taken.get("cross_attention")
# %% attack answer column_attention
column_attention = taken.get("column_attention")
# %% attack answer gram_attention
gram_attention = taken.get("gram_attention")
# %% attack answer attention_matrix
attention_matrix = taken.get("attention_matrix")
