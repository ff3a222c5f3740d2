/**
 * The looks of every page, in one place. Typographic and calm: paper and ink, thin rules instead of boxes, sections
 * numbered like the sides of a record. No font or picture from elsewhere; light and dark by what the reader prefers.
 * Colours meet WCAG 2.2 AA on both papers: text 4.5 to 1, edges of what can be used 3 to 1.
 */
import { barStylesheet } from './header-style.ts';

const tokens = `
:root {
  color-scheme: light dark;
  --paper: #f5f2ea; --raised: #fffdf8; --ink: #1a1814; --soft: #5c564b;
  --line: #d8d2c4; --edge: #857e70;
  --accent: #ad2e0a; --on-accent: #fffdf8; --second: #0d6068;
  --good: #1d6638; --bad: #a1160f; --bad-paper: #fbe8e2; --good-paper: #e6f0e4;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --small: .8125rem; --text: 1rem; --large: 1.25rem; --huge: clamp(1.875rem, 1.4rem + 2.4vw, 2.75rem);
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2.5rem; --s7: 4rem;
  --width: 62rem; --measure: 38rem; --round: 2px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131211; --raised: #1c1a18; --ink: #ece8de; --soft: #aaa395;
    --line: #36332d; --edge: #837c6f;
    --accent: #ff8d60; --on-accent: #1d0e06; --second: #6accce;
    --good: #82d39c; --bad: #ffa193; --bad-paper: #2e1915; --good-paper: #17251b;
  }
}`;

const base = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); font: var(--text)/1.55 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset, pre { margin: 0; padding: 0; }
h1 { font-size: var(--huge); line-height: 1.08; letter-spacing: -.03em; font-weight: 700; text-wrap: balance; }
h2 { font-size: var(--large); line-height: 1.25; letter-spacing: -.015em; font-weight: 650; }
h3 { font-size: var(--text); font-weight: 650; }
ul, ol { list-style: none; }
[hidden] { display: none !important; }
a { color: inherit; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: .2em; }
a:hover { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: var(--round); }
main:focus-visible { outline: none; }
code, kbd, pre, .mono { font-family: var(--mono); font-size: .9em; }
.soft { color: var(--soft); }
.small { font-size: var(--small); }
.label { font: 600 var(--small)/1.4 var(--mono); letter-spacing: .04em; color: var(--soft); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: var(--s4); top: -10rem; padding: var(--s3) var(--s4); background: var(--ink); color: var(--paper); }
.skip:focus { top: var(--s2); z-index: 1; color: var(--paper); }
.flow > * + * { margin-top: var(--s4); }
.measure { max-width: var(--measure); }`;

const frame = `
.bar, main, .foot { width: 100%; max-width: var(--width); margin-inline: auto; padding-inline: var(--s4); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s5); padding-block: var(--s3); }
.mark { display: inline-flex; align-items: center; gap: var(--s2); min-height: 44px; margin-right: auto; font-weight: 700; letter-spacing: -.02em; text-decoration: none; color: var(--ink); max-width: 100%; }
.mark svg, .mark img { flex: none; }
.mark img { height: 28px; width: auto; max-width: 10rem; object-fit: contain; }
.bar nav ul { display: flex; flex-wrap: wrap; gap: 0 var(--s3); }
@media (min-width: 24rem) { .bar nav ul { column-gap: var(--s4); } }
.bar nav a { display: inline-flex; align-items: center; min-height: 44px; text-decoration-color: transparent; }
.bar nav a:hover { text-decoration-color: currentColor; }
.bar nav a[aria-current] { text-decoration-color: var(--accent); font-weight: 600; }
main { flex: 1; padding-block: var(--s6) var(--s7); border-top: 2px solid var(--ink); max-width: calc(var(--width) - 2 * var(--s4)); padding-inline: 0; }
@media (max-width: 30rem) { main { padding-block: var(--s5) var(--s6); } }
@media (max-width: 63.9rem) { main { max-width: none; width: auto; margin-inline: var(--s4); } }
.foot { padding-block: var(--s5) var(--s6); color: var(--soft); font-size: var(--small); display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s5); }
.foot .own { flex-basis: 100%; }
.foot a { display: inline-flex; align-items: center; min-height: 24px; }
@media (max-width: 30rem) { .foot a { min-height: 44px; } }
.lead { margin-top: var(--s3); color: var(--soft); font-size: 1.0625rem; max-width: var(--measure); }
.side { margin-top: var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); }
.side > header { display: flex; gap: var(--s3); align-items: baseline; margin-bottom: var(--s4); }
.side > header .label { color: var(--accent); }
/* Sections are numbered like the sides of records, those that are shown. */
@counter-style sides { system: fixed; symbols: 'A1' 'A2' 'B1' 'B2' 'C1' 'C2' 'D1' 'D2' 'E1' 'E2'; }
main { counter-reset: side; }
.side { counter-increment: side; }
.side > header .label:empty::before { content: counter(side, sides); }
@media (min-width: 52rem) {
  .side { display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: var(--s6); }
  .side > header { flex-direction: column; gap: var(--s1); margin: 0; }
}`;

const parts = `
.button, button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: var(--s2) var(--s4); max-width: 100%;
  font: 600 var(--text)/1.2 var(--sans); text-decoration: none; cursor: pointer;
  color: var(--paper); background: var(--ink); border: 2px solid var(--ink); border-radius: var(--round);
}
.button:hover, button:hover { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.quiet, button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); }
.quiet:hover, button.quiet:hover { background: transparent; color: var(--accent); border-color: var(--accent); }
.danger, button.danger { background: var(--bad); border-color: var(--bad); color: var(--paper); }
.danger:hover, button.danger:hover { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.plain, button.plain { min-height: 44px; padding: 0; background: none; border: 0; color: inherit; font-weight: 400; text-decoration: underline transparent 2px; text-underline-offset: .2em; }
.plain:hover, button.plain:hover { background: none; color: var(--accent); text-decoration-color: currentColor; }
button[disabled] { opacity: .6; cursor: progress; }
.actions-below { margin-top: var(--s5); }
.actions { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: center; margin-top: var(--s5); }
form.stack { display: grid; gap: var(--s4); max-width: 26rem; }
form.line { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: end; }
form.line .field { flex: 1 1 14rem; max-width: 26rem; }
.field { display: grid; gap: var(--s1); grid-template-columns: minmax(0, 1fr); }
.field label { font-weight: 600; }
.field .hint { color: var(--soft); font-size: var(--small); }
input, select {
  width: 100%; min-height: 44px; padding: var(--s2) var(--s3); font: inherit; color: var(--ink); background: var(--raised);
  border: 1px solid var(--edge); border-radius: var(--round);
}
::placeholder { color: var(--soft); opacity: 1; }
input[aria-invalid] { border: 2px solid var(--bad); }
.error { color: var(--bad); font-weight: 600; }
.error::before { content: '\\2192\\00a0'; }
.notice { padding: var(--s3) var(--s4); border-left: 4px solid var(--ink); background: var(--raised); max-width: 46rem; }
.notice.bad { border-color: var(--bad); background: var(--bad-paper); }
.notice.good { border-color: var(--good); background: var(--good-paper); }
.empty { padding: var(--s5) 0; color: var(--soft); border-block: 1px dashed var(--edge); max-width: 46rem; padding-inline: var(--s4); }
.rows > li { display: grid; gap: var(--s1) var(--s4); padding-block: var(--s3); border-bottom: 1px solid var(--line); grid-template-columns: minmax(0, 1fr) auto; align-items: center; }
.rows > li:first-child { border-top: 1px solid var(--line); }
/* Right below the rule of its part it needs none of its own. */
.side > .flow > .rows:first-child > li:first-child { border-top: 0; padding-top: 0; }
@media (max-width: 26rem) { .rows > li { grid-template-columns: minmax(0, 1fr); justify-items: start; } }
.rows .what { min-width: 0; }
.rows .do { display: flex; flex-wrap: wrap; gap: var(--s2); }
.rows strong { font-weight: 650; }
.rows .past strong { font-weight: 400; text-decoration: line-through; }
.tag { display: inline-block; padding: 0 var(--s2); font: 600 .75rem/1.5 var(--mono); border: 1px solid currentColor; border-radius: var(--round); }
.secret { display: grid; gap: var(--s3); padding: var(--s4); background: var(--raised); border: 2px solid var(--ink); border-radius: var(--round); }
.code { padding: var(--s3); overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border: 1px solid var(--line); }
.secret .code { background: var(--paper); }
.flow > * + :is(h2, section) { margin-top: var(--s5); }
.facts { display: grid; gap: var(--s2) var(--s5); grid-template-columns: auto minmax(0, 1fr); }
.facts dt { color: var(--soft); }
@media (max-width: 30rem) {
  .facts { grid-template-columns: minmax(0, 1fr); row-gap: 0; }
  .facts dt { font-size: var(--small); }
  .facts dd + dt { margin-top: var(--s2); }
  main:has(.ask) { padding-top: var(--s4); }
  h1.ask { font-size: 1.375rem; line-height: 1.2; }
  /* On a small screen the answer stays in reach while the facts are read. */
  .decide { position: sticky; bottom: 0; padding-block: var(--s3); background: var(--paper); border-top: 1px solid var(--line); }
  .decide .actions { margin: 0; }
  html:has(.decide) { scroll-padding-bottom: 6rem; }
}
.host { font-weight: 400; }
.host > * { display: inline-block; max-width: 100%; }
.host b { font-weight: 700; }
.notice .host b, .ask .host b { font-weight: 800; }
.ask .host { color: var(--soft); }
.ask .host b { color: var(--ink); }
.dashes > li { padding-left: var(--s4); text-indent: calc(-1 * var(--s4)); }
.dashes > li::before { content: '\\2013'; display: inline-block; width: var(--s4); text-indent: 0; }
table { border-collapse: collapse; font-size: var(--small); font-variant-numeric: tabular-nums; }
th, td { padding: var(--s1) var(--s4) var(--s1) 0; text-align: left; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; }
summary { cursor: pointer; min-height: 32px; display: list-item; padding-block: var(--s1); }
details > :not(summary) { margin-top: var(--s2); }
@media (max-width: 30rem) { summary { min-height: 44px; padding-block: .6rem; } .actions > a:not(.button), .actions > p > a { padding-block: .7rem; } }
.pages { display: flex; gap: var(--s4); margin-top: var(--s4); }`;

const charts = `
.plot { display: block; width: 100%; height: 9rem; }
.chart-head, .ends { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s4); align-items: baseline; }
figure.flow { margin-top: var(--s5); }
figure.flow > .ends { margin-top: var(--s1); }
.plot .one { fill: var(--accent); }
.plot .two { fill: var(--second); }
.plot .axis { stroke: var(--ink); stroke-width: 1; }
.legend { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); font-size: var(--small); }
.legend svg { vertical-align: -1px; margin-right: var(--s2); }
.legend .one { fill: var(--accent); } .legend .two { fill: var(--second); }
.meter { display: block; width: 100%; height: 14px; }
.meter .all { fill: var(--raised); stroke: var(--edge); }
.meter .part { fill: var(--accent); }
.meter .over { fill: var(--bad); }
.figure { font-size: var(--large); font-weight: 650; letter-spacing: -.015em; font-variant-numeric: tabular-nums; }`;

const motion = `
@media (prefers-reduced-motion: no-preference) { .button, button, a { transition: color .12s, background-color .12s, border-color .12s; } }
@media (forced-colors: active) { .plot rect, .legend rect, .meter .part { forced-color-adjust: none; } }
@media print { .bar nav, .skip, .actions { display: none; } }`;

/** The whole stylesheet. */
export const stylesheet: string = compactStyle(
  [tokens, base, frame, barStylesheet, parts, charts, motion].join(''),
);

/**
 * Makes a style sheet smaller, which browsers load before they draw a page: removes comments, line breaks
 * and the spaces that CSS does not need. Spaces within `calc()` and between the parts of a selector stay. Texts (`content`) must not contain two spaces, comments, or a space beside `{};:,`.
 */
export function compactStyle(text: string): string {
  return text
    .split('/*')
    .map((piece, index) => (index === 0 ? piece : piece.slice(piece.indexOf('*/') + 2)))
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}
