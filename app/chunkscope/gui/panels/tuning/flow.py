"""How questions move between classes of failure from one configuration to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTableView, QVBoxLayout, QWidget

from chunkscope.core.evaluation.results import flow
from chunkscope.core.evaluation.scores import Row
from chunkscope.gui.panels.tuning.tables import ROW_ROLE, Column, TableModel, dress
from chunkscope.gui.theme import Theme, light, mixed

_FOUND = "found whole"
_BAR, _GAP, _EDGE = 12.0, 8.0, 8.0


@dataclass(frozen=True, slots=True)
class Move:
    """So many questions went from one class to another; the empty one is the good one."""

    before: str
    after: str
    count: int


def moves_of(one: Row, other: Row) -> list[Move]:
    return [Move(*pair, count) for pair, count in flow(one, other).items()]


class FlowPanel(QWidget):
    """A picture and the same as a table; choosing a move shows its questions."""

    picked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = QLabel()
        self.about.setObjectName("quiet")
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setWordWrap(True)
        self.picture = FlowPicture()
        self.picture.picked.connect(self.picked)
        self.model = TableModel[Move]((
            Column[Move]("Before", lambda each: each.before or _FOUND),
            Column[Move]("After", lambda each: each.after or _FOUND),
            Column[Move]("Questions", lambda each: f"{each.count:,}", lambda each: each.count),
        ))  # fmt: skip
        self.table = QTableView()
        self.table.setModel(self.model)
        dress(self.table, "Moves between classes of failure")
        self.table.activated.connect(lambda index: self._pick(index.data(ROW_ROLE)))
        for column, width in enumerate((175, 175, 80)):
            self.table.setColumnWidth(column, width)
        self.table.setFixedWidth(446)
        row = QHBoxLayout()
        row.addWidget(self.picture, 1)
        row.addWidget(self.table)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(12, 8, 12, 8)
        column_.addWidget(self.about)
        column_.addLayout(row, 1)
        self.show_rows([])

    def set_theme(self, theme: Theme) -> None:
        self.picture.set_theme(theme)

    def show_rows(self, rows: Sequence[Row]) -> None:
        is_pair = len(rows) == 2
        moves = moves_of(rows[0], rows[1]) if is_pair else []
        self.model.set_rows(moves)
        self.picture.set_moves(moves)
        self.picture.setVisible(is_pair)
        self.table.setVisible(is_pair)
        self.about.setText(
            f"From {rows[0].name} (left) to {rows[1].name} (right); a click shows the questions."
            if is_pair
            else "Choose two rows of the leaderboard (Ctrl+click) to see which questions one of "
            "them answers and the other does not."
        )

    def _pick(self, move: Move | None) -> None:
        if move is not None:
            self.picked.emit(move.before, move.after)


class FlowPicture(QWidget):
    """Bands between two columns of classes, as thick as there are questions."""

    picked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = light()
        self._moves: list[Move] = []
        self._bands: list[tuple[QPainterPath, Move]] = []
        self.setAccessibleName("Flow of questions")
        self.setMinimumSize(QSize(260, 120))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_moves(self, moves: list[Move]) -> None:
        self._moves = sorted(moves, key=lambda move: (move.before, move.after))
        self.setAccessibleDescription(
            "; ".join(f"{m.count} from {m.before or _FOUND} to {m.after or _FOUND}" for m in moves)
        )
        self.update()

    def _colour(self, name: str, names: list[str]) -> QColor:
        if not name:
            return self._theme.good
        hues = (self._theme.error, self._theme.warning, *self._theme.band_edges)
        return hues[names.index(name) % len(hues)]

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._bands = []
        total = sum(move.count for move in self._moves)
        if not total:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        names = sorted({m.before for m in self._moves} | {m.after for m in self._moves})
        failures = [name for name in names if name]
        left = self._column([m.before for m in self._moves], names)
        right = self._column([m.after for m in self._moves], names)
        label = painter.fontMetrics().horizontalAdvance("truncated by the model 000") + 12.0
        x0, x1 = _EDGE + label, self.width() - _EDGE - label - _BAR
        scale = left["", ""]
        tops = {("l", n): left[n, "y"] for n in names} | {("r", n): right[n, "y"] for n in names}
        for move in self._moves:
            height = move.count * scale
            a, b = tops["l", move.before], tops["r", move.after]
            tops["l", move.before] += height
            tops["r", move.after] += height
            path = _band(x0 + _BAR, a, x1, b, height)
            colour = QColor(self._colour(move.before, failures))
            colour.setAlpha(60 if move.before == move.after else 130)
            painter.fillPath(path, colour)
            self._bands.append((path, move))
        for side, x, column in (("l", x0, left), ("r", x1, right)):
            self._paint_ends(painter, side, x, column, names, failures)

    def _column(self, members: list[str], names: list[str]) -> dict[tuple[str, str], float]:
        """Where each class begins, and how high a question is."""
        counts = dict.fromkeys(names, 0)
        for move, name in zip(self._moves, members, strict=True):
            counts[name] += move.count
        total = sum(counts.values())
        room = self.height() - 2 * _EDGE - _GAP * (len(names) - 1)
        scale = max(room, 10.0) / total
        found = {("", ""): scale}
        y = _EDGE
        for name in names:
            found[name, "y"] = y
            found[name, "count"] = counts[name]
            y += counts[name] * scale + _GAP
        return found

    def _paint_ends(
        self,
        painter: QPainter,
        side: str,
        x: float,
        column: dict[tuple[str, str], float],
        names: list[str],
        failures: list[str],
    ) -> None:
        scale, high = column["", ""], painter.fontMetrics().height()
        for name in names:
            count = int(column[name, "count"])
            if not count:
                continue
            box = QRectF(x, column[name, "y"], _BAR, max(count * scale, 2.0))
            painter.fillRect(box, self._colour(name, failures))
            painter.setPen(mixed(self._theme.text, self._theme.muted, 0.3))
            text = f"{name or _FOUND} {count:,}"
            middle = box.center().y() - high / 2
            room = QRectF(box.right() + 6, middle, 400, high)
            align = Qt.AlignmentFlag.AlignLeft
            if side == "l":
                room = QRectF(box.left() - 406, middle, 400, high)
                align = Qt.AlignmentFlag.AlignRight
            painter.drawText(room, align, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for path, move in self._bands:
            if path.contains(event.position()):
                self.picked.emit(move.before, move.after)
                return


def _band(x0: float, y0: float, x1: float, y1: float, height: float) -> QPainterPath:
    middle = (x0 + x1) / 2
    path = QPainterPath(QPointF(x0, y0))
    path.cubicTo(QPointF(middle, y0), QPointF(middle, y1), QPointF(x1, y1))
    path.lineTo(QPointF(x1, y1 + height))
    path.cubicTo(
        QPointF(middle, y1 + height), QPointF(middle, y0 + height), QPointF(x0, y0 + height)
    )
    path.closeSubpath()
    return path
