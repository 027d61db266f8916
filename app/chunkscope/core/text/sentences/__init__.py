"""Sentences: where each one starts, found by named segmenters that never lose a character."""

from chunkscope.core.text.sentences import pysbd_rules, uax29
from chunkscope.core.text.sentences.base import Segmenter, segmenters
from chunkscope.core.text.sentences.languages import LANGUAGES
from chunkscope.core.text.sentences.starts import sentence_starts

__all__ = ["Segmenter", "segmenters", "sentence_starts"]

segmenters.register("pysbd")(Segmenter(pysbd_rules.cut, is_slow=True, languages=LANGUAGES))
segmenters.register("unicode")(Segmenter(uax29.cut, is_slow=False))
