"""Adapters with one mistake each, and in styles that are right."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


class Adapter(nn.Module):
    """A right one; each mistake overrides one step of it."""

    def __init__(self, base, rank):
        super().__init__()
        self.base = base
        self.start(base.in_features, base.out_features, rank)
        self.freeze()

    def start(self, d_in, d_out, rank):
        self.A = nn.Parameter(torch.randn(rank, d_in) * 0.1)
        self.B = nn.Parameter(torch.zeros(d_out, rank))

    def freeze(self):
        for parameter in self.base.parameters():
            parameter.requires_grad = False

    def forward(self, x):
        return self.base(x) + x @ self.correction().T

    def correction(self):
        return self.B @ self.A

    @torch.no_grad()
    def merge(self):
        merged = nn.Linear(self.base.in_features, self.base.out_features)
        merged.weight.copy_(self.base.weight + self.correction())
        merged.bias.copy_(self.base.bias)
        return merged


class StartsRandom(Adapter):
    def start(self, d_in, d_out, rank):
        super().start(d_in, d_out, rank)
        nn.init.normal_(self.B)


class StartsDead(Adapter):
    def start(self, d_in, d_out, rank):
        super().start(d_in, d_out, rank)
        nn.init.zeros_(self.A)


class BaseTrained(Adapter):
    def freeze(self):
        pass


class WithoutBase(Adapter):
    def forward(self, x):
        return x @ self.correction().T


class WithoutCorrection(Adapter):
    def forward(self, x):
        return self.base(x)


class MergesNothing(Adapter):
    def merge(self):
        return copy.deepcopy(self.base)


class MergesCorrectionAlone(Adapter):
    @torch.no_grad()
    def merge(self):
        merged = super().merge()
        merged.weight.copy_(self.correction())
        return merged


class MergesOnce(Adapter):
    merged = None

    def merge(self):
        if self.merged is None:
            object.__setattr__(self, "merged", super().merge())
        return self.merged


class MergeShares(Adapter):
    def merge(self):
        merged = super().merge()
        merged.bias = self.base.bias
        return merged


class BaseDetached(Adapter):
    def forward(self, x):
        return self.base(x).detach() + x @ self.correction().T


class MergesInPlace(Adapter):
    @torch.no_grad()
    def merge(self):
        self.base.weight += self.correction()
        return self.base


class MergesWithoutBias(Adapter):
    @torch.no_grad()
    def merge(self):
        merged = super().merge()
        merged.bias = None
        return merged


class FullRank(Adapter):
    def start(self, d_in, d_out, rank):
        self.change = nn.Parameter(torch.zeros(d_out, d_in))

    def correction(self):
        return self.change


class TwoLinears(Adapter):
    """A and B as layers without bias."""

    def start(self, d_in, d_out, rank):
        self.down, self.up = nn.Linear(d_in, rank, bias=False), nn.Linear(rank, d_out, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))

    def correction(self):
        return self.up.weight @ self.down.weight


class Transposed(Adapter):
    """Both matrices the other way round, so that nothing is transposed in forward."""

    def start(self, d_in, d_out, rank):
        self.a = nn.Parameter(torch.empty(d_in, rank).uniform_(-1, 1))
        self.b = nn.Parameter(torch.zeros(rank, d_out))

    def forward(self, x):
        return self.base(x) + x @ self.a @ self.b

    def correction(self):
        return (self.a @ self.b).T


class ZeroA(Adapter):
    """A at zero in place of B; a copy of the base, changed, when it merges."""

    def start(self, d_in, d_out, rank):
        self.first = nn.Parameter(torch.zeros(rank, d_in))
        self.second = nn.Parameter(torch.randn(d_out, rank))

    def correction(self):
        return torch.einsum("or,ri->oi", self.second, self.first)

    def merge(self):
        merged = copy.deepcopy(self.base)
        merged.weight.data = merged.weight.data + self.correction().detach()
        return merged


class FusedWeight(Adapter):
    """One product with the sum of the weights."""

    def forward(self, x):
        return F.linear(x, self.base.weight + self.correction(), self.base.bias)


class BiasTrained(Adapter):
    def freeze(self):
        self.base.weight.requires_grad = False


class BiasesBeside(TwoLinears):
    """A and B as layers with a bias each."""

    def start(self, d_in, d_out, rank):
        self.down, self.up = nn.Linear(d_in, rank), nn.Linear(rank, d_out)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)


class WithDropout(Adapter):
    def forward(self, x):
        return self.base(x) + F.dropout(x, 0.5) @ self.correction().T


def scaled(alpha):
    """The correction times alpha / rank, as in the paper."""

    class Scaled(Adapter):
        def correction(self):
            return alpha / len(self.A) * super().correction()

    return Scaled


class OfLinear(nn.Linear):
    """A layer that is itself an nn.Linear, with the frozen numbers of the base."""

    def __init__(self, base, rank):
        super().__init__(base.in_features, base.out_features)
        self.load_state_dict(base.state_dict())
        self.weight.requires_grad = self.bias.requires_grad = False
        self.lora_A = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_A, a=5**0.5)

    def forward(self, x):
        return super().forward(x) + x @ self.lora_A.T @ self.lora_B.T

    def merge(self):
        merged = nn.Linear(self.in_features, self.out_features)
        with torch.no_grad():
            merged.weight.copy_(self.weight + self.lora_B @ self.lora_A)
            merged.bias.copy_(self.bias)
        return merged


class OfLinearShared(OfLinear):
    """The same, with the parameters of the base themselves."""

    def __init__(self, base, rank):
        super().__init__(base, rank)
        self.weight, self.bias = base.weight, base.bias
        self.weight.requires_grad_(False)
        self.bias.requires_grad_(False)
