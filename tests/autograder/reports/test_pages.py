"""What pages do to the text of others."""

from autograder.reports.pages import code


def test_what_is_between_backticks_is_code_and_stays_text():
    assert code("`q` is (2, 3)") == "<code>q</code> is (2, 3)"
    assert code("`<b>` & ` alone") == "<code>&lt;b&gt;</code> &amp; ` alone"
    assert "\x1b" not in code("`\x1b[31m`")
