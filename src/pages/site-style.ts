/**
 * The looks of the pages of the catalogue, beside those that all pages share (`style.ts`, whose tokens they use): a
 * listings sheet, with the time in the margin and the names large.
 */

const bar = `
.bar nav.sections { order: 3; flex: 1 0 100%; min-width: 0; }
.bar nav.sections ul { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; gap: 0 var(--s4); }
.bar nav.sections a { white-space: nowrap; }
.bar .find { flex: 1 1 12rem; max-width: 22rem; }
@media (min-width: 52rem) {
  .bar nav.sections { order: 0; flex: 0 1 auto; }
  .bar .mark { margin-right: 0; }
  .bar .find { margin-left: auto; flex: 0 1 17rem; }
}`;

const find = `
.find { position: relative; display: flex; gap: var(--s2); }
.find input { min-width: 0; flex: 1; }
.find button { flex: none; }
.find.small button { min-width: 44px; padding-inline: var(--s3); }
.find.large { max-width: 40rem; margin-top: var(--s5); }
.find.large input { min-height: 56px; font-size: var(--large); border: 2px solid var(--ink); }
.find.large button { min-height: 56px; padding-inline: var(--s5); }
.find ul { position: absolute; z-index: 2; top: calc(100% + 4px); left: 0; right: 0; max-height: 70vh; overflow-y: auto; background: var(--raised); border: 2px solid var(--ink); border-radius: var(--round); }
.bar .find ul { min-width: min(22rem, calc(100vw - 2rem)); left: auto; }
.find li { display: flex; gap: var(--s1) var(--s3); align-items: baseline; padding: var(--s2) var(--s3); min-height: 44px; cursor: pointer; border-bottom: 1px solid var(--line); flex-wrap: wrap; }
.find li:last-child { border-bottom: 0; }
.find li:hover { background: var(--paper); }
.find li[aria-selected=true] { background: var(--ink); color: var(--paper); }
.find li[aria-selected=true] :is(.soft, .label) { color: inherit; }
.find li b { font-weight: 650; }
.find li .label { flex: 0 0 4.75rem; }
@media (max-width: 30rem) { .find li .label { flex-basis: 100%; line-height: 1; } }`;

const sheet = `
.crumbs { margin-bottom: var(--s4); font-size: var(--small); color: var(--soft); }
.crumbs ol { display: flex; flex-wrap: wrap; gap: 0 var(--s2); }
.crumbs a { display: inline-flex; align-items: center; min-height: 28px; }
.crumbs li + li::before { content: '/'; margin-right: var(--s2); }
.kind { font: 600 var(--small)/1.4 var(--mono); letter-spacing: .04em; color: var(--accent); margin-bottom: var(--s2); }
.lead.strong { color: var(--ink); font-size: var(--large); max-width: none; }
.lead .zone { color: var(--soft); font-size: var(--text); }
.head-facts { margin-top: var(--s5); }
.facts dd { min-width: 0; }
.about { max-width: var(--measure); white-space: pre-line; }
.listing h3 { position: relative; margin-top: var(--s5); padding-bottom: var(--s1); border-bottom: 2px solid var(--ink); }
.listing h3:first-child { margin-top: 0; }
.listing li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0 var(--s4); padding-block: var(--s3); border-bottom: 1px solid var(--line); }
.listing time, .listing .time { font: 600 var(--text)/1.55 var(--mono); font-variant-numeric: tabular-nums; }
.listing .time.none { color: var(--soft); font-weight: 400; }
.listing a.name { font-weight: 650; text-decoration-color: transparent; }
.listing a.name:hover { text-decoration-color: currentColor; }
.listing .off a.name { text-decoration: line-through; }
.listing p { color: var(--soft); font-size: .9375rem; }
.listing p.acts { color: var(--ink); }
.listing.by-date li { grid-template-columns: 8rem minmax(0, 1fr); }
@media (max-width: 30rem) {
  .listing li { grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0 var(--s3); }
  .listing.by-date li { grid-template-columns: minmax(0, 1fr); }
}
.tag.bad { color: var(--bad); } .tag.good { color: var(--good); }
.names { columns: 14rem; column-gap: var(--s6); }
.names li { break-inside: avoid; padding-block: var(--s1); }
.names a, .chips a, .bill a { text-decoration-color: transparent; }
.names a:hover, .chips a:hover, .bill a:hover { text-decoration-color: currentColor; }
.names a { display: inline-block; min-height: 28px; font-weight: 600; }
.chips { display: flex; flex-wrap: wrap; gap: var(--s2); }
.chips a, .chips > li > span { display: inline-flex; align-items: center; min-height: 36px; padding: 0 var(--s3); border: 1px solid var(--edge); border-radius: var(--round); }
.chips a[aria-current] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.bill h3 { margin-top: var(--s5); color: var(--soft); font: 600 var(--small)/1.4 var(--mono); }
.bill h3:first-child { margin-top: 0; }
.bill ul { display: flex; flex-wrap: wrap; gap: 0 var(--s5); }
.bill li { font-size: var(--large); font-weight: 650; letter-spacing: -.015em; line-height: 1.3; padding-block: var(--s1); }
.bill li.head { font-size: 1.75rem; letter-spacing: -.025em; }
.bill li .small { font-weight: 400; letter-spacing: 0; color: var(--soft); }
.tickets .price { font-variant-numeric: tabular-nums; }
.letters { display: flex; flex-wrap: wrap; gap: var(--s1); }
.letters a { display: inline-flex; justify-content: center; align-items: center; min-width: 32px; min-height: 32px; text-decoration-color: transparent; }
.letters a:hover { text-decoration-color: currentColor; }
.letters a[aria-current] { background: var(--ink); color: var(--paper); }
form.filters { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); align-items: end; margin-top: var(--s5); }
form.filters .actions { margin: 0; }
.below { margin-top: var(--s5); display: flex; flex-wrap: wrap; gap: var(--s3); align-items: center; }
.columns { display: grid; gap: var(--s5) var(--s6); }
@media (min-width: 44rem) { .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: var(--s4); }
.counts dt { color: var(--soft); font-size: var(--small); }
.counts dd { font-size: var(--large); font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.015em; }
.counts div { display: flex; flex-direction: column-reverse; justify-content: flex-end; border-top: 2px solid var(--ink); padding-top: var(--s2); }
.tree ul { margin-left: var(--s5); }
.tree li { padding-block: 2px; }
.tree summary { display: list-item; min-height: 32px; }
.tree a { display: inline-block; min-height: 28px; }
.tree .leaf { padding-left: 1.1rem; }
.tracks li { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0 var(--s3); padding-block: var(--s2); border-bottom: 1px solid var(--line); }
.tracks .at { font-family: var(--mono); color: var(--soft); font-variant-numeric: tabular-nums; }`;

const timetable = `
.timetable { overflow-x: auto; border-block: 1px solid var(--line); }
.timetable svg { display: block; font: 11px var(--sans); }
.timetable rect { fill: var(--raised); stroke: var(--edge); }
.timetable text { fill: var(--ink); }
.timetable .stage { font-weight: 650; font-size: 12px; }
.timetable .hour { fill: var(--soft); font-family: var(--mono); }
.timetable path { stroke: var(--line); fill: none; }
.timetable a:hover rect { stroke: var(--accent); stroke-width: 2; }
.sets td, .sets th { padding-block: var(--s1); }
.sets td:first-child { font-family: var(--mono); white-space: nowrap; width: 7.5rem; }
.months .bar-one { fill: var(--accent); }
.months .bar-now { fill: var(--second); }`;

/** The whole stylesheet of the pages of the catalogue. */
export const siteStylesheet: string = [bar, find, sheet, timetable]
  .join('')
  .replace(/\n\s*/g, '\n')
  .trim();
