"""Serialize modules that an exam passes to a student's function: stock classes of torch.nn, and containers."""

from collections.abc import Callable

from torch import nn

from .types import Recipe, WireError

CONTAINER = "Module"
Options = Callable[[nn.Module], dict[str, object]]


def _attributes(*names: str) -> Options:
    return lambda module: {name: getattr(module, name) for name in names}


def _with_bias(*names: str) -> Options:
    return lambda module: _attributes(*names)(module) | {"bias": module.bias is not None}


OPTIONS: dict[str, Options] = {  # how to read the constructor's arguments off a module of each class
    "Linear": _with_bias("in_features", "out_features"),
    "Conv2d": _with_bias("in_channels", "out_channels", "kernel_size", "stride", "padding"),
    "LayerNorm": _attributes("normalized_shape", "eps"),
    "Embedding": _attributes("num_embeddings", "embedding_dim"),
    "MultiheadAttention": lambda module: (
        _attributes("embed_dim", "num_heads", "batch_first")(module) | {"bias": module.in_proj_bias is not None}
    ),
}


def recipe_of(module: nn.Module) -> Recipe:
    """The recipe of a stock module; any other becomes a container of its children, parameters and plain attributes."""
    name = type(module).__name__
    if type(module) is getattr(nn, name, None) and name in OPTIONS:
        return Recipe(name, OPTIONS[name](module), {}, module.state_dict())
    own = {key: value for key, value in vars(module).items() if isinstance(value, bool | int | float | str)}
    own = {key: value for key, value in own.items() if key != "training" and not key.startswith("_")}
    tensors = {key: value.detach() for key, value in module.named_parameters(recurse=False)}
    return Recipe(CONTAINER, own, {key: recipe_of(child) for key, child in module.named_children()}, tensors)


def build(recipe: Recipe) -> nn.Module:
    """The module that a recipe describes."""
    if recipe.name == CONTAINER:
        container = nn.Module()
        for key, option in recipe.options.items():
            setattr(container, key, option)
        for key, child in recipe.children.items():
            container.add_module(key, build(child) if isinstance(child, Recipe) else child)
        for key, tensor in recipe.state.items():
            container.register_parameter(key, nn.Parameter(tensor))
        return container
    if recipe.name not in OPTIONS:
        raise WireError(f"there is no recipe for {recipe.name}")
    module: nn.Module = getattr(nn, recipe.name)(**recipe.options)
    dtype = next((value.dtype for value in recipe.state.values()), None)
    module.to(dtype).load_state_dict(recipe.state)
    return module
