"""Colours and fonts of the window, light and dark; the tints tell apart for every kind of sight."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette

_READING_FONT = "chunkscope reading font"


@dataclass(frozen=True, slots=True)
class Theme:
    """Everything that is drawn by hand takes its colours from here."""

    is_dark: bool
    window: QColor
    base: QColor  # behind text
    text: QColor
    muted: QColor  # secondary text, left-out text
    line: QColor  # hairlines and frames
    accent: QColor
    accent_text: QColor
    # Bands take turns; from Okabe and Ito's set, thinned so that text keeps its contrast.
    bands: tuple[QColor, ...]
    band_edges: tuple[QColor, ...]  # the same hues, strong: margins, strip, histogram
    cut: QColor
    overlap: QColor  # hatching
    left_out: QColor  # behind left-out text
    selected: QColor  # frame of the selected chunk
    hit: QColor  # behind find hits
    warning: QColor
    error: QColor
    good: QColor
    is_contrast: bool = False


def light() -> Theme:
    return Theme(
        is_dark=False,
        window=QColor("#f3f4f6"),
        base=QColor("#ffffff"),
        text=QColor("#1a1d21"),
        muted=QColor("#5f6875"),
        line=QColor("#d5d9df"),
        accent=QColor("#0b63b0"),
        accent_text=QColor("#ffffff"),
        bands=(QColor("#e3f0fb"), QColor("#fdf1dc"), QColor("#e2f5ee")),
        band_edges=(QColor("#0072b2"), QColor("#d98200"), QColor("#00855f")),
        cut=QColor("#3d4652"),
        overlap=QColor(60, 70, 82, 90),
        left_out=QColor("#ececee"),
        selected=QColor("#0b63b0"),
        hit=QColor("#ffe169"),
        warning=QColor("#b25a00"),
        error=QColor("#b3261e"),
        good=QColor("#00734f"),
    )


def dark() -> Theme:
    return Theme(
        is_dark=True,
        window=QColor("#1b1e23"),
        base=QColor("#22262c"),
        text=QColor("#e6e9ed"),
        muted=QColor("#98a2b0"),
        line=QColor("#3a414b"),
        accent=QColor("#5aa9e6"),
        accent_text=QColor("#0d1116"),
        bands=(QColor("#213548"), QColor("#403421"), QColor("#1f3d35")),
        band_edges=(QColor("#56b4e9"), QColor("#e69f00"), QColor("#2cc295")),
        cut=QColor("#b7c0cc"),
        overlap=QColor(200, 210, 222, 80),
        left_out=QColor("#2d3036"),
        selected=QColor("#5aa9e6"),
        hit=QColor("#7a6200"),
        warning=QColor("#f0a54a"),
        error=QColor("#ff8a80"),
        good=QColor("#4fd1a5"),
    )


def contrast() -> Theme:
    """For weak sight: black and white, and colours that keep 7 : 1 against what they stand on."""
    black, white, yellow = QColor("#000000"), QColor("#ffffff"), QColor("#ffd60a")
    return Theme(
        is_dark=True,
        window=black,
        base=black,
        text=white,
        muted=QColor("#d6d6d6"),
        line=QColor("#b0b0b0"),
        accent=yellow,
        accent_text=black,
        bands=(QColor("#00305c"), QColor("#4d2e00"), QColor("#003d2a")),
        band_edges=(QColor("#6cc4ff"), QColor("#ffb224"), QColor("#35e0ae")),
        cut=white,
        overlap=QColor(255, 255, 255, 130),
        left_out=QColor("#2b2b2b"),
        selected=yellow,
        hit=QColor("#7a4a00"),
        warning=QColor("#ffb224"),
        error=QColor("#ff9d94"),
        good=QColor("#35e0ae"),
        is_contrast=True,
    )


def chosen(name: str) -> Theme:
    """The theme of a name; `system` is what the desktop prefers."""
    if name == "contrast":
        return contrast()
    is_dark = name == "dark" or (name == "system" and system_is_dark())
    return dark() if is_dark else light()


def palette(theme: Theme) -> QPalette:
    """The same colours for the toolkit's own widgets."""
    found = QPalette()
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.base,
        QPalette.ColorRole.AlternateBase: theme.window,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.Button: theme.window,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.ToolTipBase: theme.base,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.muted,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.accent_text,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.LinkVisited: theme.accent,
    }
    for role, colour in roles.items():
        found.setColor(role, colour)
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        found.setColor(QPalette.ColorGroup.Disabled, role, theme.muted)
    return found


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """A colour between two, `share` of the way to the other."""
    pairs = zip(one.getRgb(), other.getRgb(), strict=True)  # type: ignore[call-overload]
    return QColor(*(round(a + (b - a) * share) for a, b in pairs))


def reading_font() -> QFont:
    """For documents: the chosen font, else whatever the system reads well."""
    app = QGuiApplication.instance()
    found = app.property(_READING_FONT) if app else None
    return QFont(found) if isinstance(found, QFont) else _system_reading_font(11.0)


def choose_reading_font(family: str, points: float) -> QFont:
    """The font of documents from now on; without a family the window's."""
    font = _system_reading_font(points)
    if family:
        font.setFamily(family)
    app = QGuiApplication.instance()
    if app:
        app.setProperty(_READING_FONT, font)  # the application keeps it for views yet to come
    return font


def _system_reading_font(points: float) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(points)
    return font


def code_font(points: float = 10.5) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(points)
    return font


def system_is_dark() -> bool:
    """What the desktop prefers."""
    from PySide6.QtCore import Qt

    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
