"""List numbers as Word writes them: 3, iv, c, 第, ①."""

from __future__ import annotations

from collections.abc import Callable

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
_MAX_REPEATS = 30  # Word writes 27 as aa; the ten-thousandth item would be a word of 385 letters
_CHINESE = "〇一二三四五六七八九"
_CHINESE_LEGAL = "零壹貳參肆伍陸柒捌玖"
_LETTERS = {
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщыэюя",
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "aiueoFullWidth": (
        "アイウエオカキクケコサシスセソタチツテトナニヌネノ"
        "ハヒフヘホマミムメモヤユヨラリルレロワヲン"
    ),
    "aiueo": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
    "irohaFullWidth": (
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰ"
        "ノオクヤマケフコエテアサキユメミシヱヒモセスン"
    ),
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "hebrew1": "אבגדהוזחטיכלמנסעפצקרשת",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "chicago": "*†‡§",
}


def label(value: int, number_format: str) -> str:
    """A number in one of Word's formats; decimal where a format is unknown or runs out."""
    if number_format == "none":
        return ""
    if number_format == "decimalZero":
        return f"{value:02d}"
    if value < 1:
        return str(value)
    if number_format in _LETTERS:
        return _letters(value, _LETTERS[number_format])
    if number_format in ("upperLetter", "russianUpper"):
        letters = _LETTERS[number_format.replace("upper", "lower").replace("Upper", "Lower")]
        return _letters(value, letters).upper()
    writer = _WRITERS.get(number_format)
    return writer(value) if writer else str(value)


def _letters(value: int, letters: str) -> str:
    repeats, index = divmod(value - 1, len(letters))
    return letters[index] * (repeats + 1) if repeats < _MAX_REPEATS else str(value)


def _roman(value: int) -> str:
    if value > 9_999:
        return str(value)
    pieces = []
    for amount, digits in _ROMAN:
        pieces.append(digits * (value // amount))
        value %= amount
    return "".join(pieces)


def _ordinal(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"


def _words(value: int) -> str:
    if value > 9_999:
        return str(value)
    pieces = []
    for amount, noun in ((1000, "thousand"), (100, "hundred")):
        if value >= amount:
            pieces.append(f"{_ONES[value // amount]} {noun}")
            value %= amount
    if value >= 20:
        tens, ones = divmod(value, 10)
        pieces.append(_TENS[tens] + (f"-{_ONES[ones]}" if ones else ""))
    elif value:
        pieces.append(_ONES[value])
    return " ".join(pieces)


def _ordinal_words(value: int) -> str:
    words = _words(value)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[cut:]
    if last[-1:].isdigit():
        return _ordinal(value)
    ending = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return words[:cut] + _ORDINALS.get(last, ending)


def _chinese(value: int, digits: str = _CHINESE, units: str = "十百千") -> str:
    if value > 9_999:
        return str(value)
    text, pending_zero = "", False
    for power in (3, 2, 1, 0):
        digit = value // 10**power % 10
        if digit == 0:
            pending_zero = bool(text)
            continue
        text += (digits[0] if pending_zero else "") + digits[digit]
        text += units[power - 1] if power else ""
        pending_zero = False
    # Ten to nineteen are written without the leading one.
    return text[1:] if digits == _CHINESE and 10 <= value < 20 else text


def _digits(value: int, digits: str) -> str:
    return "".join(digits[int(digit)] for digit in str(value))


def _circled(value: int) -> str:
    if value <= 20:
        return chr(0x2460 + value - 1)
    if value <= 35:
        return chr(0x3251 + value - 21)
    return chr(0x32B1 + value - 36) if value <= 50 else str(value)


def _enclosed(value: int, first: int) -> str:
    return chr(first + value - 1) if value <= 20 else str(value)


_WRITERS: dict[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda value: _roman(value).upper(),
    "ordinal": _ordinal,
    "cardinalText": lambda value: _words(value).capitalize(),
    "ordinalText": lambda value: _ordinal_words(value).capitalize(),
    "hex": lambda value: f"{value:X}",
    "numberInDash": lambda value: f"- {value} -",
    "decimalFullWidth": lambda value: _digits(value, "０１２３４５６７８９"),
    "decimalFullWidth2": lambda value: _digits(value, "０１２３４５６７８９"),
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalEnclosedParen": lambda value: _enclosed(value, 0x2474),
    "decimalEnclosedFullstop": lambda value: _enclosed(value, 0x2488),
    "ideographDigital": lambda value: _digits(value, _CHINESE),
    "japaneseDigitalTenThousand": lambda value: _digits(value, _CHINESE),
    "taiwaneseDigital": lambda value: _digits(value, "○一二三四五六七八九"),
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "taiwaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
    "japaneseCounting": _chinese,
    "koreanCounting": lambda value: _chinese(value, "영일이삼사오육칠팔구", "십백천"),
    "koreanDigital": lambda value: _digits(value, "영일이삼사오육칠팔구"),
    "japaneseLegal": lambda value: _chinese(value, "零壱弐参四伍六七八九", "拾百阡"),
    "chineseLegalSimplified": lambda value: _chinese(value, "零壹贰叁肆伍陆柒捌玖", "拾佰仟"),
    "ideographLegalTraditional": lambda value: _chinese(value, _CHINESE_LEGAL, "拾佰仟"),
    "hindiNumbers": lambda value: _digits(value, "०१२३४५६७८९"),
    "thaiNumbers": lambda value: _digits(value, "๐๑๒๓๔๕๖๗๘๙"),
}
