# Rewrites every later cell to `pass` with an input transformer.
# %% attack
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\n"])
