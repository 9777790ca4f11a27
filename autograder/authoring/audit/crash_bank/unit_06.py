"""Answers of unit 06 that raise: losses, the whole model, and decoding."""

from autograder.authoring.audit.crash_bank.crash import Crash

CRASHES = (
    Crash("shift_right", "cat-of-numbers", "return torch.cat([sos_id, tokens[:, :-1]], dim=1)"),
    Crash("shift_right", "dimension-out-of-range", "return torch.cat([torch.tensor([sos_id]), tokens[:, :-1]], dim=1)"),
    Crash("shift_right", "cat-sizes", "return torch.cat([torch.full((len(tokens), 1), sos_id), tokens[:, :-1]])"),
    Crash("shift_right", "no-such-method", "return tokens.insert(0, sos_id)[:, :-1]"),
    Crash(
        "teacher_forcing_loss", "cross-entropy-shape", "return F.cross_entropy(logits, targets, ignore_index=pad_id)"
    ),
    Crash(
        "teacher_forcing_loss",
        "cross-entropy-shape",
        "return F.cross_entropy(logits.flatten(0, 1), targets, ignore_index=pad_id)",
    ),
    Crash(
        "teacher_forcing_loss",
        "unknown-option",
        "return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_idx=pad_id)",
    ),
    Crash(
        "teacher_forcing_loss",
        "target-dtype",
        "return F.cross_entropy(logits.flatten(0, 1), targets.flatten().int(), ignore_index=pad_id)",
    ),
    Crash("noam_lr", "torch-of-number", "return d_model**-0.5 * torch.min(step**-0.5, step * warmup**-1.5)"),
    Crash("noam_lr", "torch-of-number", "return torch.rsqrt(d_model) * min(step**-0.5, step * warmup**-1.5)"),
    Crash(
        "Transformer",
        "list-called",
        """
        class Transformer(TransformerParts):
            def encode(self, src):
                return self.encoder_norm(self.encoder(self.embed(src, self.src_embedding), self.source_mask(src)))
        """,
    ),
    Crash(
        "Transformer",
        "missing-argument",
        """
        class Transformer(TransformerParts):
            def encode(self, src):
                memory = self.embed(src)
                for block in self.encoder:
                    memory = block(memory, self.source_mask(src))
                return self.encoder_norm(memory)
        """,
    ),
    Crash(
        "Transformer",
        "unknown-name",
        """
        class Transformer(TransformerParts):
            def embed(self, tokens, embedding):
                return self.positions(embedding(tokens) * math.sqrt(config.d_model))
        """,
    ),
    Crash(
        "Transformer",
        "none",
        """
        class Transformer(TransformerParts):
            def encode(self, src):
                memory = self.embed(src, self.src_embedding)
                for block in self.encoder:
                    memory = block(memory, self.source_mask(src))
                self.encoder_norm(memory)
        """,
    ),
    Crash(
        "Transformer",
        "embedding-of-floats",
        """
        class Transformer(TransformerParts):
            def embed(self, tokens, embedding):
                return embedding(self.positions(tokens[..., None] * math.sqrt(self.config.d_model)))
        """,
    ),
    Crash(
        "training_loss",
        "missing-argument",
        "return teacher_forcing_loss(model(src), tgt, pad_id)",
    ),
    Crash(
        "training_loss",
        "missing-argument",
        "return teacher_forcing_loss(model(src, shift_right(tgt)), tgt, pad_id)",
    ),
    Crash(
        "greedy_decode",
        "tensor-truth",
        """
        memory, mask = model.encode(src), model.source_mask(src)
        tokens = torch.full((len(src), 1), sos_id)
        for _ in range(max_len):
            newest = model.decode(tokens, memory, mask)[:, -1].argmax(-1)
            tokens = torch.cat([tokens, newest[:, None]], dim=1)
            if newest == eos_id:
                break
        return tokens[:, 1:]
        """,
    ),
    Crash(
        "greedy_decode",
        "item",
        """
        memory, mask = model.encode(src), model.source_mask(src)
        tokens = torch.full((len(src), 1), sos_id)
        for _ in range(max_len):
            newest = model.decode(tokens, memory, mask)[:, -1].argmax(-1)
            tokens = torch.cat([tokens, newest[:, None]], dim=1)
            if newest.item() == eos_id:
                break
        return tokens[:, 1:]
        """,
    ),
    Crash(
        "greedy_decode",
        "cat-dimensions",
        """
        memory, mask = model.encode(src), model.source_mask(src)
        tokens = torch.full((len(src), 1), sos_id)
        for _ in range(max_len):
            newest = model.decode(tokens, memory, mask)[:, -1].argmax(-1)
            tokens = torch.cat([tokens, newest], dim=1)
        return tokens[:, 1:]
        """,
    ),
    Crash("greedy_decode", "missing-argument", "return model(src).argmax(-1)"),
    Crash(
        "keep_to_eos",
        "no-such-method",
        """
        kept = tokens.clone()
        for row in kept:
            row[row.index(eos_id) + 1 :] = pad_id
        return kept
        """,
    ),
    Crash(
        "keep_to_eos",
        "index-too-large",
        """
        kept = tokens.clone()
        for row in kept:
            end = (row == eos_id).nonzero()[0].item()
            row[end + 1 :] = pad_id
        return kept
        """,
    ),
    Crash(
        "cached_attention",
        "none",
        """
        keys, values = attention.keys_and_values(x, x)
        keys, values = torch.cat([kept[0], keys], 2), torch.cat([kept[1], values], 2)
        return attention.attend(x, keys, values)[0], (keys, values)
        """,
    ),
    Crash(
        "cached_attention",
        "cat-of-pairs",
        """
        newest = attention.keys_and_values(x, x)
        if kept is not None:
            newest = torch.cat([kept, newest], dim=2)
        keys, values = newest
        return attention.attend(x, keys, values)[0], (keys, values)
        """,
    ),
)
