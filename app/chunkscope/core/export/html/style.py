"""How the page looks, light and dark; the tints are those of the window."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --window: #f3f4f6; --base: #fff; --text: #1a1d21; --muted: #5f6875; --line: #d5d9df;
  --accent: #0b63b0; --cut: #3d4652; --hatch: rgb(60 70 82 / .2); --out: #ececee;
  --warn: #a35200; --good: #00734f;
  --t0: #e3f0fb; --t1: #fdf1dc; --t2: #e2f5ee;
  --e0: #0072b2; --e1: #d98200; --e2: #00855f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --window: #1b1e23; --base: #22262c; --text: #e6e9ed; --muted: #98a2b0; --line: #3a414b;
    --accent: #5aa9e6; --cut: #b7c0cc; --hatch: rgb(200 210 222 / .17); --out: #2d3036;
    --warn: #f0a54a; --good: #4fd1a5;
    --t0: #213548; --t1: #403421; --t2: #1f3d35;
    --e0: #56b4e9; --e1: #e69f00; --e2: #2cc295;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem;
  background: var(--window); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1, h2 { margin: 0; line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.05rem; }
h2 { font-size: 1.6rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.muted, footer { color: var(--muted); }
.good { color: var(--good); }
.warn { color: var(--warn); }
header { padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
footer { margin-top: 3rem; font-size: .85rem; }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
.command, .toml {
  margin: .5rem 0; padding: .6rem .8rem; white-space: pre-wrap;
  background: var(--base); border: 1px solid var(--line); border-radius: 6px;
  font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
}
.legend, .keys { list-style: none; margin: 0; padding: 0; }
.legend {
  display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: .75rem;
  color: var(--muted); font-size: .85rem;
}
.legend li { display: flex; align-items: center; gap: .4rem; }
.legend i {
  display: inline-block; width: 1.3rem; height: .9rem; border-radius: 3px;
  border: 1px solid var(--line);
}
.legend i + i { margin-left: -.25rem; }
.legend .cut { height: 0; border: 0; border-top: 2px solid var(--cut); border-radius: 0; }
.legend .cut.inside { border-top: 2px dashed var(--warn); }
article { margin-top: 2rem; }
.cards {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem;
  margin: 1rem 0 .75rem;
}
.card {
  margin: 0; padding: .8rem 1rem; background: var(--base);
  border: 1px solid var(--line); border-radius: 8px;
}
.figures { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem 1rem; align-content: center; }
.figures dd {
  margin: 0; font-size: 1.3rem; font-weight: 600; line-height: 1.2;
  font-variant-numeric: tabular-nums;
}
.figures dt, figcaption, .axis, .keys { color: var(--muted); font-size: .8rem; }
figure { display: flex; flex-direction: column; }
figcaption { order: -1; margin-bottom: .5rem; }
.bars {
  display: flex; align-items: flex-end; gap: 1px; flex: 1; min-height: 4.5rem;
  border-bottom: 1px solid var(--line);
}
.bars i { flex: 1; background: var(--e0); border-radius: 2px 2px 0 0; }
.axis { display: flex; justify-content: space-between; }
.shares { display: flex; gap: 2px; height: .8rem; border-radius: 4px; overflow: hidden; }
.shares i { min-width: 3px; }
.keys { margin-top: .6rem; display: grid; gap: .15rem; }
.keys li { display: flex; align-items: center; gap: .5rem; }
.keys i { width: .7rem; height: .7rem; border-radius: 2px; }
.keys b { margin-left: auto; color: var(--text); font-variant-numeric: tabular-nums; }
.section { background: var(--e2); }
.paragraph { background: var(--e0); }
.sentence { background: var(--muted); }
.inside_sentence { background: var(--e1); }
.outline { list-style: none; margin: .5rem 0 0; padding: 0; max-height: 22rem; overflow: auto; }
.outline li {
  display: flex; justify-content: space-between; gap: 1rem;
  padding: .1rem .5rem .1rem calc(.5rem + 1.25rem * var(--level));
}
.outline span { color: var(--muted); font-variant-numeric: tabular-nums; }
.text {
  margin-top: 1.25rem; background: var(--base); border: 1px solid var(--line);
  border-radius: 8px; overflow: hidden;
}
.b, .o, .g {
  padding-left: 9.25rem; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4;
  unicode-bidi: plaintext;
}
.b, .o { padding-top: .45rem; padding-bottom: .45rem; padding-right: 1.25rem; }
.b {
  position: relative; min-height: 4rem; border-top: 1px solid var(--cut);
  content-visibility: auto; contain-intrinsic-size: auto 14rem;
  scroll-margin-top: 1rem;
}
.text > .b:first-child { border-top-color: transparent; }
.b.inside { border-top: 1px dashed var(--warn); }
.b::before, .b::after {
  position: absolute; left: 0; width: 8.5rem; padding-left: 1rem;
  white-space: pre-line; color: var(--muted); unicode-bidi: isolate; direction: ltr;
  font: .75rem/1.35 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; text-align: left;
}
.b::before {
  content: attr(data-n); top: .45rem; bottom: 0; border-left: 4px solid; padding-left: .75rem;
  font-size: .95rem; font-weight: 600;
}
.b::after { content: attr(data-s); top: 1.8rem; }
.b.inside::after, .b.over::after { color: var(--warn); }
.b:target::before { text-decoration: underline; }
.b:target { box-shadow: inset 0 0 0 2px var(--accent); }
.t0 { background-color: var(--t0); }
.t1 { background-color: var(--t1); }
.t2 { background-color: var(--t2); }
.b.t0::before { border-color: var(--e0); color: var(--e0); top: 0; padding-top: .4rem; }
.b.t1::before { border-color: var(--e1); color: var(--e1); top: 0; padding-top: .4rem; }
.b.t2::before { border-color: var(--e2); color: var(--e2); top: 0; padding-top: .4rem; }
.r {
  background-image:
    repeating-linear-gradient(135deg, var(--hatch) 0 1.5px, transparent 1.5px 6px);
}
.b .r { -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.o { background-color: var(--out); color: var(--muted); }
.g { line-height: .3; min-height: .3em; }
.code .b, .code .o { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
@media (max-width: 40rem) {
  body { padding: 1rem .75rem 3rem; }
  .b, .o, .g { padding-left: 1rem; padding-right: .75rem; }
  .b { padding-top: 1.9rem; }
  .b::after { top: .5rem; left: 3.5rem; width: auto; white-space: nowrap; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .b { content-visibility: visible; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
