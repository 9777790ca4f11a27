"""Layer normalisation with one mistake each, and in four styles that are right."""

import torch
from torch import nn


class _Norm(nn.Module):
    """A right one; each mistake overrides a step."""

    dim: tuple[int, ...] = (-1,)

    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gain, self.shift = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return self.finish((x - self.mean(x)) / self.deviation(x))

    def mean(self, x):
        return x.mean(self.dim, keepdim=True)

    def deviation(self, x):
        return (x.var(self.dim, keepdim=True, unbiased=False) + self.eps).sqrt()

    def finish(self, x):
        return x * self.gain + self.shift


class Unbiased(_Norm):
    def deviation(self, x):
        return (x.var(-1, keepdim=True) + self.eps).sqrt()


class EpsOutside(_Norm):
    def deviation(self, x):
        return x.std(-1, keepdim=True, unbiased=False) + self.eps


class StdPlusEps(_Norm):
    """As the Annotated Transformer has it."""

    def deviation(self, x):
        return x.std(-1, keepdim=True) + self.eps


class StdPlusSmallEps(StdPlusEps):
    """With its default as well."""

    def __init__(self, d, eps=1e-6):
        super().__init__(d, eps)


class OwnEps(_Norm):
    def __init__(self, d, eps=1e-12):
        super().__init__(d, eps)


class SmallEps(_Norm):
    def __init__(self, d, eps=1e-6):
        super().__init__(d, eps)


class RootMeanSquare(_Norm):
    def forward(self, x):
        return self.finish(x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps))


class NoEps(_Norm):
    def deviation(self, x):
        return x.std(-1, keepdim=True, unbiased=False)


class OverTokens(_Norm):
    dim = (-2,)


class OverBatch(_Norm):
    dim = (0,)

    def forward(self, x):
        return super().forward(x.reshape(-1, x.shape[-1])).reshape(x.shape)


class OverFirstDimension(_Norm):
    dim = (0,)


class OverTokensAndFeatures(_Norm):
    dim = (-2, -1)


class OneGain(_Norm):
    def __init__(self, d, eps=1e-5):
        super().__init__(d, eps)
        self.gain, self.shift = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))


class OverAll(_Norm):
    def mean(self, x):
        return x.mean()

    def deviation(self, x):
        return (x.var(unbiased=False) + self.eps).sqrt()


class ByVariance(_Norm):
    def deviation(self, x):
        return x.var(-1, keepdim=True, unbiased=False) + self.eps


class NotCentred(_Norm):
    def mean(self, x):
        return 0.0


class WithoutGain(_Norm):
    def finish(self, x):
        return x


class ShiftFirst(_Norm):
    def finish(self, x):
        return (x + self.shift) * self.gain


class ByStatistics(_Norm):
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
        return torch.addcmul(self.shift, self.gain, (x - mean) * torch.rsqrt(variance + self.eps))


class ByMoments(_Norm):
    """The variance as mean of squares minus square of the mean, in double precision."""

    def forward(self, x):
        exact = x.double()
        mean = exact.mean(-1, keepdim=True)
        variance = exact.pow(2).mean(-1, keepdim=True) - mean**2
        return ((exact - mean) / torch.sqrt(variance + self.eps)).to(x.dtype) * self.gain + self.shift


class ByDoubleMean(_Norm):
    def forward(self, x):
        d = x.size(-1)
        mean = x.sum(dim=-1, keepdim=True) / d
        variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True) / d
        return self.gain * (x - mean) / (variance + self.eps) ** 0.5 + self.shift


class ByBuiltInStd(_Norm):
    """The standard deviation of torch, squared again to add eps."""

    def forward(self, x):
        centred = x - x.mean(-1, True)
        return self.shift + centred / torch.sqrt(x.std(-1, correction=0, keepdim=True) ** 2 + self.eps) * self.gain


class WithWeightAndBias(nn.Module):
    """Torch's names for the parameters."""

    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.bias = nn.Parameter(torch.zeros(d))
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x):
        centred = x - x.mean(dim=-1).unsqueeze(-1)
        return centred / centred.pow(2).mean(-1).add(self.eps).sqrt().unsqueeze(-1) * self.weight + self.bias
