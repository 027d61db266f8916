"""How the toolkit's own widgets look: flat, quiet, with the colours of the theme."""

from __future__ import annotations

import sys

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from chunkscope.gui.theme import Theme, mixed, palette

# Where no desktop has chosen a font, the first of these that is installed.
_FAMILIES = ("Inter", "Noto Sans", "Source Sans 3", "Open Sans", "Cantarell", "Ubuntu")
_UNCHOSEN = ("DejaVu Sans", "Bitstream Vera Sans", "Sans Serif", "")

_SHEET = """
QMainWindow::separator {{ background: {window}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QMenuBar {{ background: {window}; border-bottom: 1px solid {line}; padding: 1px 4px; }}
QMenuBar::item {{ padding: 4px 9px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {hover}; }}
QMenu {{ background: {base}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 5px 26px 5px 22px; border-radius: 4px; }}
QMenu::item:selected {{ background: {accent}; color: {accent_text}; }}
QMenu::item:disabled {{ color: {muted}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}
QToolBar {{ background: {window}; border: none; border-bottom: 1px solid {line};
            padding: 2px 8px; spacing: 1px; }}
QToolBar::separator {{ background: {line}; width: 1px; margin: 5px 7px; }}
QToolBar QToolButton {{ padding: 3px 8px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 5px; padding: 3px 6px; }}
QToolButton:hover {{ background: {hover}; }}
QToolButton:pressed, QToolButton:checked {{ background: {pressed}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton:disabled {{ color: {faint}; }}
QToolButton#title {{ color: {muted}; padding: 1px 5px; }}
QToolButton#choice {{ border: 1px solid {edge}; background: {base}; padding: 3px 8px;
                      text-align: left; }}
QToolButton#choice:focus {{ border-color: {accent}; }}
QToolButton#chip {{ border: 1px solid {edge}; background: {base}; border-radius: 11px;
                    padding: 3px 11px; }}
QToolButton#chip:hover {{ background: {hover}; }}
QToolButton#chip:checked {{ background: {soft}; border-color: {accent}; }}
QToolButton#chip:focus {{ border: 2px solid {accent}; padding: 2px 10px; }}
QTabWidget::pane {{ border: none; }}
QTabBar::tab:focus {{ color: {text}; border-bottom-color: {accent}; background: {hover}; }}
QToolButton::menu-indicator {{ subcontrol-position: right center; right: 5px; }}
QDockWidget::title {{ background: {window}; padding: 7px 10px 5px 12px; text-align: left; }}
QListView, QTreeView, QTableView {{ border: none; background: {window}; outline: none; }}
QListWidget::item {{ padding: 6px 10px; border-radius: 6px; }}
QListWidget::item:hover {{ background: {hover}; }}
QListWidget::item:selected {{ background: {soft}; color: {text}; }}
QTableView::item {{ padding: 3px 8px; }}
QTableView {{ background: {base}; gridline-color: {line}; alternate-background-color: {window};
              selection-background-color: {accent}; selection-color: {accent_text}; }}
QTreeView::item {{ padding: 3px 2px; border-radius: 4px; }}
QTreeView::item:hover {{ background: {hover}; }}
QTreeView::item:selected {{ background: {soft}; color: {text}; }}
QTableView::item:selected {{ background: {soft}; color: {text}; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QHeaderView::up-arrow, QHeaderView::down-arrow {{ subcontrol-origin: padding;
                        subcontrol-position: top center; width: 9px; height: 5px; }}
QHeaderView::section {{ background: {window}; color: {muted}; border: none;
                        border-bottom: 1px solid {line}; padding: 5px 8px; }}
QPushButton {{ border: 1px solid {edge}; border-radius: 5px; background: {base};
               padding: 4px 12px; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed {{ background: {pressed}; }}
QPushButton:disabled {{ color: {faint}; border-color: {line}; background: {window}; }}
QPushButton:focus {{ border-color: {accent}; }}
QPushButton:default {{ background: {accent}; color: {accent_text}; border-color: {accent}; }}
QPushButton:default:hover {{ background: {accent_hover}; }}
QPushButton:default:disabled {{ background: {window}; color: {faint}; border-color: {line}; }}
QPushButton:flat {{ border: 1px solid transparent; background: transparent; padding: 1px 4px; }}
QPushButton:flat:hover {{ background: {hover}; }}
QPushButton:flat:focus {{ border-color: {accent}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QLineEdit {{ border: 1px solid {edge}; border-radius: 5px; background: {base}; padding: 4px 7px;
             selection-background-color: {accent}; selection-color: {accent_text}; }}
QLineEdit:focus {{ border-color: {accent}; }}
QComboBox QLineEdit, QAbstractSpinBox QLineEdit {{ border: none; padding: 0 2px; }}
QTextEdit, QPlainTextEdit {{ border: none; background: {base}; padding: 6px; }}
QSlider {{ min-height: 20px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {edge}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {accent}; }}
QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
                              background: {base}; border: 2px solid {accent}; }}
QSlider::handle:horizontal:hover {{ background: {soft}; }}
QSlider::handle:horizontal:focus {{ background: {accent}; }}
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled {{
    background: {edge}; border-color: {edge}; }}
QScrollBar:vertical {{ background: transparent; width: 11px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 11px; margin: 0; }}
QScrollBar::handle {{ background: {edge}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ border: none; border-radius: 3px; background: {edge}; max-height: 6px; }}
QProgressBar::chunk {{ border-radius: 3px; background: {accent}; }}
QTabBar::tab {{ background: transparent; border: none; border-bottom: 2px solid transparent;
                padding: 4px 12px; color: {muted}; }}
QTabBar::tab:hover {{ color: {text}; }}
QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
QCheckBox::indicator:unchecked, QTreeView::indicator:unchecked {{ border: 1px solid {frame};
    border-radius: 3px; background: {base}; width: 12px; height: 12px; }}
QStatusBar {{ background: {window}; border-top: 1px solid {line}; color: {muted}; }}
QStatusBar::item {{ border: none; }}
QStatusBar QLabel {{ color: {muted}; }}
QSplitter::handle {{ background: {line}; }}
QToolTip {{ background: {base}; color: {text}; border: 1px solid {edge}; padding: 5px; }}
QLabel#quiet {{ color: {muted}; }}
QLabel#problem {{ color: {error}; }}
QLabel#heading {{ font-weight: 600; }}
QFrame#card {{ background: {base}; border: 1px solid {line}; border-radius: 8px; }}
"""

# On black the style's own frames cannot be seen.
_FRAMES = """
QComboBox {{ border: 1px solid {edge}; border-radius: 5px; padding: 3px 7px; background: {base}; }}
QAbstractSpinBox QLineEdit {{ border: 1px solid {edge}; }}
QComboBox:focus, QAbstractSpinBox QLineEdit:focus {{ border: 2px solid {accent}; }}
QCheckBox::indicator {{ border: 1px solid {edge}; width: 13px; height: 13px; }}
QCheckBox::indicator:checked {{ background: {accent}; }}
"""


def apply(app: QApplication, theme: Theme) -> None:
    """Give every widget its colours."""
    app.setPalette(palette(theme))
    app.setStyleSheet(sheet(theme))


def sheet(theme: Theme) -> str:
    """The style sheet of a theme."""
    colours = {
        "window": theme.window,
        "base": theme.base,
        "text": theme.text,
        "muted": theme.muted,
        "line": theme.line,
        "accent": theme.accent,
        "accent_text": theme.accent_text,
        "error": theme.error,
        "edge": mixed(theme.line, theme.text, 0.14),
        "frame": mixed(theme.line, theme.text, 0.35),
        "hover": mixed(theme.window, theme.text, 0.07),
        "pressed": mixed(theme.window, theme.text, 0.14),
        "faint": mixed(theme.window, theme.muted, 0.6),
        "soft": mixed(theme.window, theme.accent, 0.18),
        "accent_hover": mixed(theme.accent, theme.text, 0.15),
    }
    rules = _SHEET + (_FRAMES if theme.is_contrast else "")
    return rules.format(**{name: colour.name() for name, colour in colours.items()})


def choose_font(app: QApplication) -> None:
    """The desktop's font; where there is no desktop to ask, a better one than the last resort."""
    font = app.font()
    if sys.platform in ("win32", "darwin") or font.family() not in _UNCHOSEN:
        return
    installed = set(QFontDatabase.families())
    found = next((family for family in _FAMILIES if family in installed), "")
    if found:
        chosen = QFont(found)
        chosen.setPointSizeF(font.pointSizeF())
        app.setFont(chosen)
