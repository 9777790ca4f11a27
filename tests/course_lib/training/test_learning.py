"""Each task is learned to its target, for three seeds, by a model that trains in front of a reader."""

import pytest
import torch
import torch.nn.functional as F

from course_lib.models.cached_decoding import cached_greedy_decode
from course_lib.models.configs import LanguageModelConfig
from course_lib.models.decoder_only import DecoderOnly
from course_lib.models.encoder_only import EncoderOnly, mask_tokens
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.models.vision_transformer import VisionTransformer, ViTConfig
from course_lib.tasks import dates
from course_lib.tasks.corpus import VOCABULARY, all_windows, load_corpus, unigram_entropy, windows
from course_lib.tasks.digits import image_batches, load_images
from course_lib.tasks.vocabulary import EOS, MASK, PAD, SOS
from course_lib.training.loop import train, warm_up_and_down
from course_lib.training.objectives import shift_right, teacher_forcing_loss

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("seed", [0, 1, 2])]


def test_written_dates_become_iso_dates(seed):
    torch.manual_seed(seed)
    model = Transformer(TransformerConfig(len(dates.SOURCE), len(dates.TARGET), 64, 4, 128, 1, 32, norm_first=True))

    def loss_of(model, batch):
        src, tgt = batch
        return teacher_forcing_loss(model(src, shift_right(tgt, SOS)), tgt, PAD)

    train(model, dates.date_batches(600, 64, seed), loss_of, warm_up_and_down(600, 4e-3))
    unseen = dates.draw_dates(500, seed=100 + seed, held_out=True)
    written = cached_greedy_decode(model, dates.encode_pairs(unseen)[0], SOS, EOS, max_len=12)
    assert dates.exact_match(written, unseen) >= 0.95


def test_a_vision_transformer_reads_digits(seed):
    torch.manual_seed(seed)
    training, test = load_images(seed)
    model = VisionTransformer(ViTConfig(8, 2, 1, 10, 32, 4, 64, 2))

    def loss_of(model, batch):
        return F.cross_entropy(model(batch.images), batch.labels)

    train(model, image_batches(training, 400, 64, seed), loss_of, warm_up_and_down(400, 3e-3))
    model.eval()
    with torch.no_grad():
        right = model(test.images).argmax(-1) == test.labels
    assert right.double().mean() >= 0.9


def test_a_decoder_learns_to_continue_text(seed):
    torch.manual_seed(seed)
    training, test = load_corpus()
    model = DecoderOnly(LanguageModelConfig(len(VOCABULARY), 48, 4, 96, 1, 32))

    def loss_of(model, batch):
        return F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())

    train(model, windows(training, 300, 32, 33, seed), loss_of, warm_up_and_down(300, 5e-3))
    model.eval()
    with torch.no_grad():
        assert loss_of(model, all_windows(test, 33)) < unigram_entropy(training) - 0.8


def test_an_encoder_learns_to_fill_gaps(seed):
    torch.manual_seed(seed)
    training, test = load_corpus()
    model = EncoderOnly(LanguageModelConfig(len(VOCABULARY), 48, 4, 96, 2, 32))
    generator = torch.Generator().manual_seed(seed)

    def loss_of(model, batch):
        inputs, labels = mask_tokens(batch, MASK, 0.15, generator)
        return F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())

    train(model, windows(training, 600, 32, 32, seed), loss_of, warm_up_and_down(600, 5e-3))
    model.eval()
    with torch.no_grad():
        losses = [loss_of(model, all_windows(test, 32)) for _ in range(10)]
    assert torch.stack(losses).mean() < unigram_entropy(training) - 0.5
