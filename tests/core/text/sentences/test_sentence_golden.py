"""The 48 phenomena of pysbd's golden rules, in sentences of our own; | marks a cut."""

from __future__ import annotations

import pytest

from chunkscope.core.text.sentences import sentence_starts
from core.text.sentences.fragments import sentences, spans

GOLDEN = """
The tide came in.| We went home.
Is the clock right?| Ask the harbour master.
The boat is back!| I saw its light.
The log was kept by Anna R. Weller.
The table is on p. 12.
Have Ruth and co. left the pier?
They sold the yard to Lamb, Pike & Co. in spring.
Write to Ruth and co.| They may know.
They sold the yard to Lamb, Pike & Co.| It was spring.
The path up Mt. Snowdon was closed.
St. Peter's stands on 3rd st. by the quay.
This was Tom Lamb Jr.'s barometer.
He sailed to the U.S.A. in winter.
She moved within the E.U.| How did she do it?
She moved to the U.S.| How did she do it?
The chart is from the U.S. Navy in Norfolk.
She was in the U.S. for three winters.
At 4 a.m. Mr. Pike rang the bell.| He was asleep at 9 P.M.| Mr. Pike had earned it.
The rope costs $12.50 a coil.
The rope costs $12.50.| It is on the shelf.
The keeper (He had been a cook for 9 years.) climbed the tower.
Write to Ruth.Lamb@example.com.| She will answer.
Look at https://www.example.20.com/tides/high_water.html.| Then set the clock.
He looked up, 'That is the light.' he said.
He looked up, "That is the light." he said.
He looked up, "That is the light."| Nobody answered him.
Ahoy!!| Come aboard.
Ahoy??| Where are you?
Ahoy!?| Are you there?
Ahoy?!| Are you there?
1.) Coil the rope |2.) Stow the sail
1.) Coil the rope. |2.) Stow the sail.
1) Coil the rope |2) Stow the sail
1) Coil the rope. |2) Stow the sail.
1. Coil the rope |2. Stow the sail
1. Coil the rope. |2. Stow the sail.
• 9. Coil the rope |• 10. Stow the sail
⁃9. Coil the rope |⁃10. Stow the sail
a. Coil the rope |b. Stow the sail |c. Close the hatch
The wreck lies at N°. 5054.221.118.| It is buoyed.
She keeps the books at Yahoo! for the whole north.
Nobody knew it but you and I.| Did you meet Oscar I. Brandt there?
He wrote that, out at sea, “the stars are nearer and so are we . . . .”
"Weller [...] left the key under the stone [...]" (Pike 31).
The last line of the log is missing and the page ends with a stop . . . .| Next page.
I would have told you....| She closed the door.
I was not ... well, that is to say...you see . . . what I meant, it was . . . I forgot.
The custom that had failed . . . was that of ringing for strangers.| . . . It was kept up. . . .
""".strip().splitlines()


def cut(line: str, segmenter: str) -> list[str]:
    text = line.replace("|", "")
    return sentences(text, spans(text), sentence_starts(text, spans(text), segmenter))


def passed(segmenter: str) -> list[str]:
    return [
        line
        for line in GOLDEN
        if cut(line, segmenter) == [part.strip() for part in line.split("|")]
    ]


@pytest.mark.parametrize(("segmenter", "floor"), [("pysbd", 47), ("unicode", 36)])
def test_the_golden_rules_hold(segmenter: str, floor: int) -> None:
    assert len(GOLDEN) == 48
    missed = sorted(set(GOLDEN) - set(passed(segmenter)))
    assert len(GOLDEN) - len(missed) >= floor, "\n".join(missed)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Das war am 3. Mai.| Prof. Weller kam z.B. nie."),
        ("zh", "潮水来了。|我们回家了！|他说了什么？"),
        ("ja", "潮が来た。|「はい。」"),
        ("hi", "ज्वार आया। |हम घर गए।"),
        ("ar", "جاء المد. |هل رجعنا؟"),
        ("hy", "Ժամը եկավ։ |Գնացինք։"),
        ("xx", "Mr. Lamb left at 3.15 sharp.| Nobody saw him."),
    ],
)
def test_the_unicode_segmenter_knows_other_languages(language: str, line: str) -> None:
    text = line.replace("|", "")
    starts = sentence_starts(text, spans(text), "unicode", language)
    assert sentences(text, spans(text), starts) == [part.strip() for part in line.split("|")]
