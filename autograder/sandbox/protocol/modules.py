"""Modules that the examiner hands to a student's function, as data: classes of torch.nn and containers of them."""

from torch import Tensor, nn

from .types import Recipe, WireError

CONTAINER = "Module"


def _sizes(*names: str):
    return lambda module: {name: getattr(module, name) for name in names}


def _with_bias(*names: str):
    return lambda module: _sizes(*names)(module) | {"bias": module.bias is not None}


OPTIONS = {
    "Linear": _with_bias("in_features", "out_features"),
    "Conv2d": _with_bias("in_channels", "out_channels", "kernel_size", "stride", "padding"),
    "LayerNorm": lambda module: {"normalized_shape": list(module.normalized_shape), "eps": module.eps},
    "Embedding": _sizes("num_embeddings", "embedding_dim"),
    "MultiheadAttention": lambda module: (
        _sizes("embed_dim", "num_heads", "batch_first")(module) | {"bias": module.in_proj_bias is not None}
    ),
}


def recipe_of(module: nn.Module) -> Recipe:
    """A stock module with its numbers; any other becomes a container of its children and plain attributes."""
    name = type(module).__name__
    if type(module) is getattr(nn, name, None) and name in OPTIONS:
        return Recipe(name, OPTIONS[name](module), {}, module.state_dict())
    own = {key: value for key, value in vars(module).items() if isinstance(value, bool | int | float | str)}
    own = {key: value for key, value in own.items() if key != "training" and not key.startswith("_")}
    tensors = {key: value.detach() for key, value in module.named_parameters(recurse=False)}
    return Recipe(CONTAINER, own, {key: recipe_of(child) for key, child in module.named_children()}, tensors)


def build(recipe: Recipe) -> nn.Module:
    """The module of a recipe."""
    if recipe.name == CONTAINER:
        module = nn.Module()
        for key, value in recipe.options.items():
            setattr(module, key, value)
        for key, child in recipe.children.items():
            module.add_module(key, child)
        for key, value in recipe.state.items():
            module.register_parameter(key, nn.Parameter(value))
        return module
    if recipe.name not in OPTIONS:
        raise WireError(f"there is no recipe for {recipe.name}")
    module = getattr(nn, recipe.name)(**recipe.options)
    dtype = next((value.dtype for value in recipe.state.values() if isinstance(value, Tensor)), None)
    module.to(dtype).load_state_dict(recipe.state)
    return module
