"""A slow drawing waits until a person pauses."""

import asyncio

from course_lib.widgets.debounce import AtPause


def test_a_drawing_waits_for_a_pause(monkeypatch):
    monkeypatch.setattr("course_lib.widgets.debounce.SECONDS", 0)
    drawn = []

    async def typing():
        soon = AtPause(lambda: drawn.append(len(drawn)))
        for _ in range(5):
            soon()
        assert drawn == []
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(typing())
    assert drawn == [0]


def test_without_a_kernel_nothing_waits():
    drawn = []
    soon = AtPause(lambda: drawn.append(len(drawn)))
    soon()
    soon()
    assert drawn == [0, 1]
