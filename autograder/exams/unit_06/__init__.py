"""Exams of unit 06, Training and inference, in the order of the notebook."""

from autograder.exams.unit_06.caching import cached_attention
from autograder.exams.unit_06.dates import to_iso
from autograder.exams.unit_06.decoding import greedy_decode
from autograder.exams.unit_06.endings import keep_to_eos
from autograder.exams.unit_06.leaks import leak_test
from autograder.exams.unit_06.loss import teacher_forcing_loss
from autograder.exams.unit_06.parallel import rnn_or_attention, what_runs_in_parallel
from autograder.exams.unit_06.schedule import noam_lr
from autograder.exams.unit_06.targets import shift_right
from autograder.exams.unit_06.training_step import training_loss
from autograder.exams.unit_06.transformer import transformer

EXAMS = (
    rnn_or_attention,
    shift_right,
    teacher_forcing_loss,
    noam_lr,
    transformer,
    training_loss,
    leak_test,
    greedy_decode,
    keep_to_eos,
    to_iso,
    what_runs_in_parallel,
    cached_attention,
)
