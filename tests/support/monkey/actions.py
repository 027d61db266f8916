"""What the monkey does. One function with `@action(weight)` each: that is all a new one needs."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)
from shiboken6 import isValid

from chunkscope import paths
from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.profile import Profile, presets
from chunkscope.gui.actions import chunks, profiles, view
from chunkscope.gui.preferences import THEMES
from chunkscope.gui.views.text_view import TextView
from support.monkey.monkey import Monkey, action
from support.mutants import mutant

SAMPLES = sorted(path for path in paths.sample_docs().iterdir() if path.is_file())
MOST_DOCUMENTS = 25
TEXTS = (
    "", "tide", "the lamp", "a\u0301e\u0308", "👨\u200d👩\u200d👧 family", "NEAR(", '"',
    "<b>bold</b>", "%s %n {0}", "x" * 500, "שלום", "line\nline\r\n\ttab", "0", "-1", "99999999999",
)  # fmt: skip
_KEYS = (
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageDown,
    Qt.Key.Key_PageUp, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
    Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_A, Qt.Key.Key_Backspace,
)  # fmt: skip
_NEVER = ("Quit",)  # closing is an action of its own


# documents


@action(4)
def drop_files(monkey: Monkey) -> None:
    _make_room(monkey)
    some = monkey.random.sample(SAMPLES, monkey.random.choice((1, 1, 2, 4)))
    _drop(monkey, [str(path) for path in some])


@action(4)
def drop_damaged(monkey: Monkey) -> None:
    _make_room(monkey)
    seed, sample = monkey.random.randrange(1_000_000), monkey.random.choice(SAMPLES)
    path = monkey.folder / f"{seed}-{sample.name}"
    path.write_bytes(mutant(sample.read_bytes(), seed))
    monkey.note(path.name)
    _drop(monkey, [str(path)])


@action()
def drop_text(monkey: Monkey) -> None:
    _make_room(monkey)
    data = QMimeData()
    data.setText(monkey.random.choice(TEXTS) * monkey.random.choice((1, 50)))
    _drop_data(monkey, data)


@action(0.5)
def drop_nothing(monkey: Monkey) -> None:
    _drop(
        monkey,
        [str(monkey.folder / "missing.txt"), str(monkey.folder)][: monkey.random.randrange(2)],
    )


def _drop(monkey: Monkey, files: list[str]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(file) for file in files])
    _drop_data(monkey, data)


def _drop_data(monkey: Monkey, data: QMimeData) -> None:
    event = QDropEvent(
        QPointF(400, 300), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    monkey.window.dropEvent(event)


def _make_room(monkey: Monkey) -> None:
    keys = [entry.key for entry in monkey.window.state.entries]
    if len(keys) > MOST_DOCUMENTS:
        monkey.window.state.remove(monkey.random.sample(keys, len(keys) // 2))


@action(4)
def show_document(monkey: Monkey) -> None:
    keys = [entry.key for entry in monkey.window.state.entries]
    if keys:
        monkey.window.state.show_document(monkey.random.choice(keys))


@action(2)
def remove_documents(monkey: Monkey) -> None:
    keys = [entry.key for entry in monkey.window.state.entries]
    monkey.window.state.remove(monkey.random.sample(keys, min(len(keys), 2)))


# the profile


@action(5)
def move_slider(monkey: Monkey) -> None:
    slider = _one(monkey, monkey.window.parameters, QAbstractSlider)
    if slider is None:
        return
    slider.setSliderDown(True)
    for _ in range(monkey.random.randrange(1, 8)):
        slider.setValue(monkey.random.randint(slider.minimum(), slider.maximum()))
        monkey.pause(0)
    slider.setSliderDown(False)


@action(2)
def choose_strategy(monkey: Monkey) -> None:
    profiles.use(monkey.window, Profile.of(monkey.random.choice(list(strategies))))


@action(2)
def choose_preset(monkey: Monkey) -> None:
    profiles.use(monkey.window, presets[monkey.random.choice(list(presets))].profile)


@action(4)
def undo_or_redo(monkey: Monkey) -> None:
    stack = monkey.window.state.undo_stack
    for _ in range(monkey.random.randrange(1, 6)):
        monkey.random.choice((stack.undo, stack.redo))()


# looking


@action(3)
def find(monkey: Monkey) -> None:
    preview = monkey.window.preview
    preview.open_find()
    field = _one(monkey, preview, QLineEdit)
    if field is not None:
        field.setText(monkey.random.choice(TEXTS))
    preview.go_to_hit(monkey.random.choice((1, -1)))
    if monkey.random.random() < 0.3:
        preview.close_find()


@action(2)
def zoom(monkey: Monkey) -> None:
    view.zoom(monkey.window, monkey.random.choice((1, 1, -1, -1, 0)))


@action()
def switch_theme(monkey: Monkey) -> None:
    view.set_theme(monkey.window, monkey.random.choice(list(THEMES)))


@action(0.7)
def compare(monkey: Monkey) -> None:
    chunks.add_lane(monkey.window)
    if monkey.random.random() < 0.5:
        monkey.window.show_preview()


@action(0.3)
def try_presets(monkey: Monkey) -> None:
    dialog = chunks.try_presets(monkey.window)
    monkey.pause(0.05)
    if dialog is not None and monkey.random.random() < 0.7:
        dialog.done(monkey.random.randrange(2))


@action(2)
def switch_dock(monkey: Monkey) -> None:
    dock = monkey.random.choice(list(monkey.window.docks.values()))
    monkey.random.choice((dock.show, dock.raise_, dock.close, dock.show))()
    if monkey.random.random() < 0.1:
        dock.setFloating(not dock.isFloating())


@action(4)
def use_the_mouse(monkey: Monkey) -> None:
    text = _one(monkey, monkey.window, TextView)
    if text is None:
        return
    spot = text.viewport()
    a, b = (_point(monkey, spot) for _ in range(2))
    left = Qt.MouseButton.LeftButton
    kind = monkey.random.randrange(4)
    if kind == 0:
        QTest.mouseDClick(spot, left, pos=a)
    elif kind == 1:
        QTest.mousePress(spot, left, pos=a)
        QTest.mouseMove(spot, b)
        QTest.mouseRelease(spot, left, pos=b)
    elif kind == 2:
        _wheel(monkey, spot, a)
    else:
        QTest.mouseClick(spot, left, pos=a)


def _point(monkey: Monkey, widget: QWidget) -> QPoint:
    return QPoint(
        monkey.random.randrange(max(1, widget.width())),
        monkey.random.randrange(max(1, widget.height())),
    )


def _wheel(monkey: Monkey, widget: QWidget, at: QPoint) -> None:
    turn = QPoint(0, monkey.random.choice((-1200, -120, 120, 1200)))
    keys = monkey.random.choice(
        (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)
    )
    event = QWheelEvent(
        QPointF(at), widget.mapToGlobal(QPointF(at)), QPoint(), turn, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


@action(5)
def press_keys(monkey: Monkey) -> None:
    target = QApplication.focusWidget() or monkey.window
    for _ in range(monkey.random.randrange(1, 5)):
        key = monkey.random.choice(_KEYS)
        QTest.keyClick(target, key)
        if QApplication.focusWidget() is not target:
            return


@action(2)
def resize(monkey: Monkey) -> None:
    monkey.window.resize(monkey.random.randrange(300, 1900), monkey.random.randrange(200, 1200))


# whatever is there


@action(5)
def choose_from_a_menu(monkey: Monkey) -> None:
    name = monkey.random.choice(
        [each for each in monkey.window.menus.actions if each not in _NEVER]
    )
    monkey.note(name)
    monkey.window.menus.actions[name].trigger()


@action(8)
def poke_a_control(monkey: Monkey) -> None:
    """Any slider, box, button, field or list that can be seen, in the window or a dialog."""
    tops = [monkey.window, *_dialogs(monkey)]
    place = monkey.random.choice(tops)
    kind = monkey.random.choice(list(_POKES))
    found = _one(monkey, place, kind)
    if found is not None:
        monkey.note(f"{type(found).__name__} {found.accessibleName() or found.objectName()}")
        _POKES[kind](monkey, found)


def _dialogs(monkey: Monkey) -> list[QDialog]:
    return [each for each in monkey.window.findChildren(QDialog) if each.isVisible()]


def _click(monkey: Monkey, button: QAbstractButton) -> None:
    if button.text().replace("&", "") not in _NEVER:
        monkey.note(button.text())
        button.click()


def _choose(monkey: Monkey, box: QComboBox) -> None:
    if box.count():
        at = monkey.random.randrange(box.count())
        box.setCurrentIndex(at)
        box.activated.emit(at)
        box.textActivated.emit(box.itemText(at))


def _type(monkey: Monkey, field: QLineEdit) -> None:
    field.setText(monkey.random.choice(TEXTS))
    field.textEdited.emit(field.text())
    if monkey.random.random() < 0.5:
        field.returnPressed.emit()


def _slide(monkey: Monkey, slider: QAbstractSlider) -> None:
    slider.setValue(monkey.random.randint(slider.minimum(), slider.maximum()))


def _spin(monkey: Monkey, spin: QSpinBox) -> None:
    spin.setValue(monkey.random.randint(spin.minimum(), min(spin.maximum(), 10_000)))


def _spin_parts(monkey: Monkey, spin: QDoubleSpinBox) -> None:
    spin.setValue(monkey.random.uniform(spin.minimum(), min(spin.maximum(), 10_000.0)))


def _select(monkey: Monkey, rows: QAbstractItemView) -> None:
    model, top = rows.model(), QModelIndex()
    # A list hides how many columns it has: it is always one.
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(top) if model else 0
    if model is not None and model.rowCount(top) and columns:
        chosen = model.index(
            monkey.random.randrange(model.rowCount(top)), monkey.random.randrange(columns)
        )
        rows.setCurrentIndex(chosen)
        if monkey.random.random() < 0.3 and isValid(rows):  # choosing may have closed its dialog
            QTest.keyClick(rows, Qt.Key.Key_Return)


def _write(monkey: Monkey, field: QPlainTextEdit) -> None:
    if not field.isReadOnly():
        field.setPlainText(monkey.random.choice(TEXTS))


_POKES = {
    QAbstractButton: _click, QComboBox: _choose, QLineEdit: _type, QAbstractSlider: _slide,
    QSpinBox: _spin, QDoubleSpinBox: _spin_parts, QAbstractItemView: _select,
    QPlainTextEdit: _write,
}  # fmt: skip


def _one(monkey: Monkey, place: QWidget, kind):  # type: ignore[no-untyped-def]
    found = [each for each in place.findChildren(kind) if each.isVisible() and each.isEnabled()]
    return monkey.random.choice(found) if found else None


@action(2)
def close_dialogs(monkey: Monkey) -> None:
    for dialog in _dialogs(monkey):
        dialog.reject()


# index and search


@action(2)
def index(monkey: Monkey) -> None:
    monkey.window.state.index.index_all()


@action()
def index_as_they_come(monkey: Monkey) -> None:
    index = monkey.window.state.index
    index.indexes_at_once = monkey.random.random() < 0.3


@action(2)
def pause_or_resume(monkey: Monkey) -> None:
    index = monkey.window.state.index
    monkey.random.choice((index.pause, index.resume, index.resume))()


@action(1.5)
def cancel(monkey: Monkey) -> None:
    monkey.random.choice((monkey.window.state.index.cancel, monkey.window.tasks.cancel_shown))()


@action(0.7)
def switch_workspace(monkey: Monkey) -> None:
    monkey.window.state.index.open(monkey.folder / f"workspace{monkey.random.randrange(2)}")


@action(4)
def search(monkey: Monkey) -> None:
    """Through the window's search where it has one, else through its workspace."""
    query = monkey.random.choice(TEXTS)
    state = getattr(monkey.window.state, "search", None)
    if state is not None:
        monkey.random.choice((state.ask, state.ask, state.type))(query)
        return
    workspace = monkey.window.state.index.workspace
    if workspace is not None:
        monkey.window.tasks.run(
            "search", lambda job: workspace.search(query, job=job), lambda _: None, lambda _: None
        )


@action(3)
def select_result(monkey: Monkey) -> None:
    state = getattr(monkey.window.state, "search", None)
    if state is not None and state.result is not None and state.result.hits:
        state.select(monkey.random.randrange(len(state.result.hits)))


# the window


@action(0.4)
def wait_for_all(monkey: Monkey) -> None:
    close_dialogs(monkey)
    monkey.settle()


@action(0.3)
def close_and_reopen(monkey: Monkey) -> None:
    if monkey.random.random() < 0.5:
        monkey.reset_preferences()
    monkey.close()
    monkey.open()
