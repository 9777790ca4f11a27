"""Toy words: hand-made meanings in which similar words are near."""

from course_lib.tasks.toy_words import embed


def test_words_that_mean_the_same_are_near():
    cat, chat, dog = embed(["cat", "chat", "dog"])
    assert cat @ chat > cat @ dog
