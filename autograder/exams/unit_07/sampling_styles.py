"""Drawing the next token in five styles, all of them right."""

import torch
import torch.nn.functional as F


@torch.no_grad()
def by_filling(model, prompt, steps, temperature=1.0, top_k=None):
    """Minus infinity for all tokens below the k-th."""
    tokens = prompt.clone()
    for _ in range(steps):
        logits = model(tokens)[:, -1, :] / temperature
        if top_k is not None:
            smallest_kept = torch.topk(logits, top_k).values[:, -1:]
            logits[logits < smallest_kept] = -float("inf")
        tokens = torch.cat((tokens, torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)), dim=1)
    return tokens


def by_noise(model, prompt, steps, temperature=1.0, top_k=None):
    """The largest of logits and Gumbel noise is a draw from the softmax."""
    mode = model.training
    model.eval()
    for _ in range(steps):
        logits = model(prompt)[:, -1]
        kept = logits.topk(top_k or logits.size(-1)).indices
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)))
        allowed = torch.zeros_like(logits, dtype=torch.bool).scatter(1, kept, True)
        best = (logits / temperature + noise).masked_fill(~allowed, -1e9).argmax(-1)
        prompt = torch.hstack([prompt, best[:, None]])
    model.train(mode)
    return prompt


def by_sorting(model, prompt, steps, temperature=1.0, top_k=None):
    """Sorted odds, added up, and a number that falls somewhere among the sums."""
    for _ in range(steps):
        with torch.no_grad():
            odds, order = (model(tokens=prompt)[:, -1] / temperature).softmax(-1).sort(descending=True)
        sums = odds[:, :top_k].cumsum(-1)
        needle = torch.rand(len(prompt), 1) * sums[:, -1:]
        place = (sums < needle).sum(-1, keepdim=True)
        prompt = torch.cat([prompt, order.gather(1, place)], -1)
    return prompt


def by_loop(model, prompt, steps, temperature=1.0, top_k=None):
    """Row by row."""
    tokens = prompt
    for _ in range(steps):
        new = []
        for row in model(tokens)[:, -1]:
            values, ids = torch.topk(row, len(row) if top_k is None else top_k)
            new.append(ids[torch.multinomial(torch.exp((values - values[0]) / temperature), 1)])
        tokens = torch.cat([tokens, torch.stack(new)], 1)
    return tokens


@torch.inference_mode()
def in_eval_mode(model, prompt, steps, temperature=1.0, top_k=None):
    """A distribution object; the model is left in eval mode, which nobody asks about."""
    model.eval()
    out = prompt
    for _ in range(steps):
        scores = model(out)[:, -1].div(temperature)
        if top_k:
            cut = scores.topk(min(top_k, scores.size(-1)), dim=-1).values[..., -1, None]
            scores = torch.where(scores < cut, torch.full_like(scores, -torch.inf), scores)
        out = torch.cat([out, torch.distributions.Categorical(logits=scores).sample()[:, None]], dim=-1)
    return out.clone()
