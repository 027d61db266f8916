"""Makes sample_docs/report.pdf, the same bytes each time: `python tools/make_sample_pdf.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

TARGET = Path(__file__).resolve().parents[1] / "sample_docs" / "report.pdf"
TITLE = "Energy Report 2024"
HEADER = "Brennick Town Library: energy report for the year 2024"
FOOTER = "Adopted by the library committee on 12 March 2025"

LEFT, RIGHT, TOP, BOTTOM = 90.0, A4[0] - 90, A4[1] - 105, 105.0
BODY, BODY_SIZE, LEADING = "Times-Roman", 11.5, 17.0
HEADINGS = {
    "title": (22.0, 0.0),
    "section": (15.0, 16.0),
    "part": (12.0, 10.0),
}  # size, space above
COLUMNS = (0.0, 80.0, 185.0, 270.0, 360.0)

# Where words may be broken at the end of a line.
HYPHENS = """
    ac-count ac-counts after-noon al-ready al-though an-other an-swer any-body care-taker be-came be-tween build-ing build-ings
    bor-row-ers Car-ne-gie caf-e-te-ria cal-cu-lated car-bon cen-tral chil-dren com-mit-tee
    com-pared com-par-i-son com-put-ers con-sump-tion con-tract con-trac-tor con-trolled
    coun-cil cus-tom-ers dis-con-nected dif-fer-ence dou-ble draw-ing elec-tri-cian
    elec-tric-ity emis-sions en-ergy en-gi-neer ex-pected ex-plained ex-ten-sion fig-ures
    for-tu-nate gen-er-ated heat-ing how-ever in-stal-la-tion in-stalled in-su-la-tion
    in-verter li-brary light-ing main-te-nance mea-sured me-ters morn-ing morn-ings
    neigh-bours nor-mally num-ber oc-cu-pied or-di-nary pan-els per-cent-age pre-dicted
    pro-duced pro-gramme pub-lic pur-chased quar-ter rad-i-a-tors read-ing read-ings
    re-cord-ing re-duced re-mained re-placed re-place-ment re-port re-pairs sav-ing sav-ings
    sec-ond-ary sen-sors set-tings sev-eral spend-ing sum-mer sup-plier tem-per-a-ture
    ther-mo-stat to-gether un-ex-pected un-for-tu-nately ven-ti-la-tion vis-i-tors
    Au-gust Bren-nick Feb-ru-ary Sat-ur-days vol-un-teers weath-er week-end win-dows win-ter with-out
"""
BREAKS = {word.replace("-", ""): word.split("-") for word in HYPHENS.split()}

REPORT = """
title| Energy Report 2024

text| This report says how much energy the Brennick Town Library used in 2024, what it cost, and what was done to need less of it. It is written for the library committee and for anybody else who pays for the building, which is everybody in the town. All figures come from our own meters, read by hand on the first working day of each month, and have been checked against the bills of the supplier.

section| 1 Summary

text| The library used 270,500 kWh of energy in 2024, of which 18,900 kWh came from its own roof. That is 10.6 % less than in 2023. Spending on electricity and gas fell from £45,853 to £34,722, partly because we used less and partly because the new contract is cheaper. Emissions of carbon dioxide went down from 57.0 to 48.2 tonnes.

text| Three things explain most of the saving. The solar panels, which were switched on in August 2023, worked for a whole year. The reading room was fitted with new lighting in February. And the old boiler, after much argument with its thermostat, stopped heating an empty building on Sundays.

text| Not everything went well. The ventilation of the children's room ran day and night from April to June because a timer had been wired the wrong way round, and the draughts around the front door are as bad as they were when the door was new.

section| 2 The building

text| The main house was opened in 1911 with money from the Carnegie fund. It has solid brick walls, tall windows and a slate roof. The extension of 1978 holds the children's room, the cafeteria and the staff offices; its flat roof was insulated in 2016. Together the two parts have a floor area of 1,420 square metres, and we were open for 2,310 hours in 2024, forty more than the year before.

text| A building of this age and kind would ordinarily be expected to need about 230 kWh for each square metre and year. We measured 213 kWh in 2023 and 190 kWh in 2024. The comparison is a rough one, since most of the libraries behind the ordinary figure have no cafeteria and no public computers, but it shows that the direction is right.

section| 3 What we used

text| The table gives the energy purchased in the last three years, the output of the solar panels, and what we paid. Standing charges are left out, as they hardly differ between years.

table| Year; Electricity (kWh); Gas (kWh); Solar (kWh); Cost (£) / 2022; 118,400; 201,500; none; 40,506 / 2023; 109,700; 187,200; 6,100; 45,853 / 2024; 89,600; 162,000; 21,400; 34,722

part| 3.1 Electricity

text| We bought 89,600 kWh of electricity, 20,100 kWh less than in 2023. About two thirds of the difference is the work of the panels. They produced 21,400 kWh, of which 18,900 kWh were used in the building and 2,500 kWh were sold to the supplier for £375. The best day was 19 June with 134 kWh; on 21 December the inverter did not even wake up.

text| The new lighting in the reading room accounts for most of the rest. The forty-eight tubes of the old installation took 58 watts each, and they were on whenever the library was open. Their replacements take 19 watts and are dimmed by sensors when the sun comes through the south windows. Visitors noticed the change chiefly because the humming stopped. The saving, as far as it can be calculated without separate meters, is 4,300 kWh a year.

text| Unfortunately some of this was lost again in the children's room. During the repairs in April the timer of the ventilation was connected backwards, so that the fans rested in the afternoon and ran all night. Nobody heard them, because nobody was there. The mistake was found on 27 June, when the readings for the second quarter were compared with those of the year before, and it had by then cost us about 1,900 kWh.

part| 3.2 Gas

text| Gas heats the radiators in both parts of the building and the water in the cafeteria. We burned 162,000 kWh of it, 13.5 % less than in 2023. The winter was a little milder than the one before, but the weather explains no more than a third of this; the greater part is due to the new settings of the boiler.

text| Until January the boiler kept the whole house at 19 degrees on every day of the week, although the library is closed on Sundays and on Monday mornings. The heating engineer had set it so in 2009, after a complaint, and had then retired. Since 22 January the temperature is allowed to fall to 14 degrees while nobody is in, and the heating comes on again four hours before the doors open. The volunteers who sort returned books on Monday mornings have been given a small electric heater and an apology.

section| 4 What we did

text| The committee had set aside £18,000 for measures in 2024. The following were carried out, and together they cost £16,240, so that £1,760 remained at the end of the year:

item| New lighting with sensors in the reading room, including the removal of the old tubes: £11,900.
item| New settings and a second thermostat for the boiler, with one visit of the engineer in each quarter: £1,480.
item| Insulation of 62 metres of heating pipe in the cellar, done by volunteers on two Saturdays: £610.
item| Secondary glazing for the four windows of the local history room, where the maps are kept: £2,250.

text| The front door was to have been replaced as well. The only offer we received was for £23,500, more than the whole programme, and the door is protected as part of the façade. We have asked the council whether a second, inner door would be allowed, and expect an answer in spring.

section| 5 The year ahead

part| 5.1 Plans

text| For 2025 the committee has again set aside £18,000. With what is left from 2024 this makes £19,760. The largest single item will be a battery of 20 kWh, which would let us use in the evening most of what we now sell at noon. Two offers have been made, for £12,400 and £13,150, and both contractors promise to finish before the summer.

text| We also want separate meters for the cafeteria. At present its consumption can only be guessed, and the guesses of the tenant and of the library are not the same. An electrician has quoted £940 for three meters that can be read from the office without climbing behind the dishwasher.

part| 5.2 Targets

text| By the end of 2025 the library should need no more than 180 kWh for each square metre, buy less than 82,000 kWh of electricity, and keep its emissions under 45 tonnes. None of these numbers is heroic. If the door stays as it is they will be hard to reach, and if the inner door is built they will be easy.

text| The figures behind this report, month by month, can be seen at the desk. We thank the caretaker, Imogen Hartley, who read eleven meters on twelve mornings and was late only once, in the snow.
"""


def lines_of(text: str, width: float) -> Iterator[str]:
    """The text cut into lines that fit, long words broken with a hyphen."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if stringWidth(longer, BODY, BODY_SIZE) <= width:
            line = longer
            continue
        head, rest = broken(word, width - stringWidth(f"{line} ", BODY, BODY_SIZE))
        yield f"{line} {head}" if head else line
        line = rest
    yield line


def broken(word: str, width: float) -> tuple[str, str]:
    """As much of a word as fits, with its hyphen, and the rest."""
    bare = word.rstrip(".,;:")
    parts = BREAKS.get(bare, [bare])
    for count in range(len(parts) - 1, 0, -1):
        head = "".join(parts[:count])
        if stringWidth(f"{head}-", BODY, BODY_SIZE) <= width:
            return f"{head}-", word[len(head) :]
    return "", word


class Press:
    """Sets one piece after another and starts new pages where they are full."""

    def __init__(self, path: Path) -> None:
        self._canvas = Canvas(str(path), pagesize=A4, invariant=1)
        self._canvas.setTitle(f"Brennick Town Library: {TITLE}")
        self._canvas.setAuthor("Brennick Town Library")
        self._canvas.setSubject("What the library used, what it cost and what was saved")
        self._y = TOP
        self._furnish()

    def _furnish(self) -> None:
        self._canvas.setFont("Helvetica", 8.5)
        self._canvas.drawString(LEFT, A4[1] - 55, HEADER)
        self._canvas.drawString(LEFT, 62, FOOTER)
        self._canvas.drawCentredString(A4[0] / 2, 44, str(self._canvas.getPageNumber()))

    def _need(self, height: float) -> None:
        if self._y - height < BOTTOM:
            self._canvas.showPage()
            self._furnish()
            self._y = TOP

    def heading(self, kind: str, text: str) -> None:
        size, above = HEADINGS[kind]
        self._need(above + size + 3 * LEADING)
        self._y -= above if self._y < TOP else 0
        self._canvas.setFont("Helvetica-Bold", size)
        self._canvas.drawString(LEFT, self._y, text)
        self._y -= size + 10

    def text(self, text: str, indent: float = 0.0, mark: str = "") -> None:
        for number, line in enumerate(lines_of(text, RIGHT - LEFT - indent)):
            self._need(0)
            self._canvas.setFont(BODY, BODY_SIZE)
            if mark and not number:
                self._canvas.drawString(LEFT, self._y, mark)
            self._canvas.drawString(LEFT + indent, self._y, line)
            self._y -= LEADING
        self._y -= 9

    def table(self, text: str) -> None:
        rows = text.split(" / ")
        self._need(len(rows) * LEADING)
        for number, row in enumerate(rows):
            self._canvas.setFont("Helvetica" if number else "Helvetica-Bold", 9.5)
            for x, cell in zip(COLUMNS, row.split(";"), strict=True):
                self._canvas.drawString(LEFT + x, self._y, cell.strip())
            self._canvas.line(LEFT, self._y - 5, RIGHT, self._y - 5)
            self._y -= LEADING
        self._y -= 9

    def finish(self) -> None:
        self._canvas.save()


def make(path: Path) -> None:
    """Print the report to a file."""
    press = Press(path)
    for piece in filter(None, REPORT.splitlines()):
        kind, _, text = piece.partition("| ")
        if kind == "text":
            press.text(text)
        elif kind == "item":
            press.text(text, indent=14, mark="•")
        elif kind == "table":
            press.table(text)
        else:
            press.heading(kind, text)
    press.finish()


if __name__ == "__main__":
    make(TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")
