/**
 * The stylesheet of the catalogue pages. `style.ts` has the rules and variables that all pages share. The layout is that of a
 * listings sheet: times in the margin, names large.
 */

import { compactStyle } from './style.ts';

const sheet = `
.crumbs { margin-bottom: var(--s4); font-size: var(--small); color: var(--soft); }
.crumbs li { display: inline; }
.crumbs a { padding-block: 6px; }
.crumbs li + li::before { content: '/'; margin-inline: var(--s2); }
.kind { font: 600 var(--small)/1.4 var(--mono); letter-spacing: .04em; color: var(--accent); margin-bottom: var(--s2); }
.lead { text-wrap: pretty; }
h1 + .notice { margin-top: var(--s3); }
.lead.strong { color: var(--ink); font-size: var(--large); max-width: none; }
.lead .zone { display: block; color: var(--soft); font-size: var(--text); }
.lead .tag { font-size: var(--small); padding-block: 2px; vertical-align: 2px; margin-right: var(--s2); }
.spaced { margin-top: var(--s6); }
.spaced h2:not(.hidden) { margin-bottom: var(--s3); }
.head-facts { margin-top: var(--s5); }
.facts dd { min-width: 0; }
.small.whole { white-space: nowrap; }
.about { max-width: var(--measure); white-space: pre-line; }
.listing h3 { padding-bottom: var(--s1); border-bottom: 2px solid var(--ink); }
.listing > div + div h3 { margin-top: var(--s5); padding-top: var(--s2); }
.listing li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0 var(--s4); padding-block: var(--s3); border-bottom: 1px solid var(--line); }
.listing time, .listing .time { font: 600 var(--text)/1.55 var(--mono); font-variant-numeric: tabular-nums; }
.listing .time.none { color: var(--soft); font-weight: 400; }
.listing a.name { font-weight: 650; text-decoration-color: transparent; }
.listing a.name:hover { text-decoration-color: currentColor; }
.listing .off a.name { text-decoration: line-through; }
.listing a.name + .tag { vertical-align: top; margin-top: .15rem; }
h1 + p > .tag { margin-top: var(--s2); }
.listing p { color: var(--soft); font-size: .9375rem; }
.listing p.acts { color: var(--ink); }
.listing li { position: relative; }
/* Some sources write a whole line-up into the name. */
.listing a.name { display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.listing a.name::after { content: ''; position: absolute; inset: 0; }
.listing li a:not(.name), .listing li button { position: relative; z-index: 1; }
.listing.by-date li { grid-template-columns: 8rem minmax(0, 1fr); }
@media (max-width: 30rem) {
  .listing li { grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0 var(--s3); }
  .listing.by-date li { grid-template-columns: minmax(0, 1fr); }
}
.tag.bad { color: var(--bad); } .tag.good { color: var(--good); }
.names { columns: 14rem; column-gap: var(--s6); }
.names li { position: relative; break-inside: avoid; padding-block: .375rem; line-height: 1.35; }
.names li.seen { display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: var(--s3); align-items: center; }
.names .thumb { width: 44px; height: 44px; }
/* The whole entry is the link. */
.names a::after, .counts a::after { content: ''; position: absolute; inset: 0; }
.names a, .chips a, .bill a { text-decoration-color: transparent; }
.names a:hover, .chips a:hover, .bill a:hover { text-decoration-color: currentColor; }
.names a { font-weight: 600; }
@media (max-width: 30rem) {
  .embed summary { padding-block: .6rem; }
  .below a:not(.button), .bill a { padding-block: .6rem; }
  .crumbs li { line-height: 2.25; } .crumbs a { padding-block: 12px; }
  .rows .what a, .facts dd a, .map figcaption a, .more a, .answer a, p > .whole { padding-block: .9rem; }
  .names li { padding-block: .7rem; } .names li.seen { padding-block: var(--s1); min-height: 52px; } }
.chips { display: flex; flex-wrap: wrap; gap: var(--s2); }
.chips a, .chips > li > span { display: inline-flex; align-items: center; gap: var(--s2); min-height: 36px; padding: 0 var(--s3); border: 1px solid var(--edge); border-radius: var(--round); }
.chips > li > span { border-style: dashed; color: var(--soft); }
@media (max-width: 30rem) { .chips a, .chips > li > span { min-height: 44px; } }
.chips a[aria-current] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.bill h3 { color: var(--soft); font: 600 var(--small)/1.4 var(--mono); }
.bill > div + div h3 { margin-top: var(--s5); }
.bill ul { display: flex; flex-wrap: wrap; gap: 0 var(--s5); }
.bill li { font-size: var(--large); font-weight: 650; letter-spacing: -.015em; line-height: 1.3; padding-block: var(--s1); }
.bill li.head { font-size: 1.75rem; letter-spacing: -.025em; }
.bill li .small { font-weight: 400; letter-spacing: 0; color: var(--soft); }
@media (max-width: 30rem) { .bill li { padding-block: 7px; } }
.tickets .price { font-variant-numeric: tabular-nums; }
.letters { display: grid; grid-template-columns: repeat(auto-fill, minmax(2rem, 1fr)); gap: 2px; margin-top: var(--s4); max-width: 62rem; }
.letters a { display: flex; justify-content: center; align-items: center; min-height: 44px; white-space: nowrap; text-decoration-color: transparent; }
.letters a:hover { text-decoration-color: currentColor; }
.letters a[aria-current] { background: var(--ink); color: var(--paper); }
form.filters { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); align-items: end; margin-top: var(--s5); }
form.filters .field { min-width: 0; }
form.filters .actions { margin: 0; flex-wrap: nowrap; }
@media (min-width: 52rem) { form.filters.many { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
.below { margin-top: var(--s5); display: flex; flex-wrap: wrap; gap: var(--s3) var(--s5); align-items: center; }
.below:first-child { margin-top: 0; }
.columns { display: grid; gap: var(--s5) var(--s6); }
@media (min-width: 44rem) { .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: var(--s4); }
.counts dt { color: var(--soft); font-size: var(--small); }
.counts dd { font-size: var(--large); font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.015em; }
.counts div { position: relative; display: flex; flex-direction: column-reverse; justify-content: flex-end; border-top: 2px solid var(--ink); padding-top: var(--s2); }
.tree li { line-height: 1.4; }
.tree summary, .tree .leaf a { display: block; min-height: 34px; padding-block: 6px; position: relative; padding-left: 1.25rem; list-style: none; }
.tree summary::-webkit-details-marker { display: none; }
.tree summary::before { content: ''; position: absolute; left: 2px; top: 12px; border: 5px solid transparent; border-left: 7px solid var(--soft); border-right: 0; }
.tree details[open] > summary::before { transform: rotate(90deg); }
.tree details > ul { margin: 0; padding-left: 1.25rem; }
.tree .leaf a { text-decoration-color: transparent; }
.tree .leaf a:hover { text-decoration-color: currentColor; }
.tree > ul > li > details > ul { columns: 15rem; column-gap: var(--s6); }
.tree ul ul > li { break-inside: avoid-column; }
.tree details details > ul { margin-left: 5px; border-left: 1px solid var(--line); padding-left: .75rem; }
.tracks li { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0 var(--s3); padding-block: var(--s2); border-bottom: 1px solid var(--line); }
.hits > li { grid-template-columns: 4.75rem minmax(0, 1fr); align-items: baseline; justify-items: start; }
@media (max-width: 30rem) {
  .hits .what .soft { display: block; font-size: .9375rem; }
  .hits > li { position: relative; } .hits .what > a::after { content: ''; position: absolute; inset: 0; }
  .tree summary, .tree .leaf a { min-height: 42px; padding-block: 10px; } .tree summary::before { top: 16px; }
}
.tracks .at { font-family: var(--mono); color: var(--soft); font-variant-numeric: tabular-nums; }
@media (max-width: 30rem) { .tracks li { align-items: baseline; min-height: 44px; padding-block: 0; } .tracks a { display: inline-block; padding-block: .55rem; } .tracks .small a { padding-block: .75rem; } }`;

const timetable = `
@media (min-width: 52rem) { .side.wide { display: block; } .side.wide > header { margin-bottom: var(--s4); } }
.timetable-frame { display: flex; border-block: 1px solid var(--line); padding-block: var(--s2); margin-top: var(--s4); }
.timetable-frame svg { display: block; flex: none; font: 11px var(--sans); }
.timetable-frame text { fill: var(--ink); }
.timetable-frame .stages { font-size: 12px; font-weight: 650; }
.timetable { overflow-x: auto; flex: 1; min-width: 0; }
/* What goes on to the right fades; at the end there is nothing to fade. */
.timetable-frame { position: relative; }
.timetable-frame::after { content: ''; position: absolute; inset: 0 0 0 auto; width: 2rem; background: linear-gradient(to right, transparent, var(--paper)); pointer-events: none; }
.timetable > svg { margin-right: 2rem; }
.timetable rect { fill: var(--raised); stroke: var(--edge); }
.timetable .hour { fill: var(--soft); font-family: var(--mono); }
.timetable path { stroke: var(--line); fill: none; }
.set-tables { columns: 17rem; column-gap: var(--s6); margin-top: var(--s5); }
.sets { width: 100%; break-inside: avoid-column; margin-bottom: var(--s5); font-size: .9375rem; }
.sets caption { text-align: left; font-weight: 650; padding-bottom: var(--s1); border-bottom: 2px solid var(--ink); }
.sets th { width: 7.5rem; padding-block: var(--s1); color: var(--soft); font: 400 var(--small)/1.6 var(--mono); white-space: nowrap; vertical-align: baseline; }
.sets td { padding-block: var(--s1); padding-right: 0; }
.sets a { text-decoration-color: transparent; }
.sets a:hover { text-decoration-color: currentColor; }
@media (max-width: 30rem) { .sets th, .sets td { padding-block: .6rem; } .sets a { display: block; margin-block: -.6rem; padding-block: .6rem; } }
.months .bar-one { fill: var(--accent); }
.months .bar-now { fill: var(--second); }`;

const media = `
.pictured { display: grid; gap: var(--s4) var(--s5); grid-template-columns: minmax(0, 1fr); }
.pictured.drawn, .pictured:has(> .drawn) { grid-template-columns: minmax(0, 1fr) 5rem; align-items: start; }
.picture img { display: block; width: 100%; height: auto; max-height: 22rem; aspect-ratio: 1; object-fit: cover; background: var(--raised); border-radius: var(--round); }
.picture.whole img { aspect-ratio: auto 1; object-fit: contain; object-position: left top; background: none; }
.picture figcaption { margin-top: var(--s1); }
@media (max-width: 43.99rem) {
  .picture.square img { aspect-ratio: 3 / 2; }
  /* A drawn cover leaves the lines below the heading their whole width. */
  .pictured:has(> .drawn) { position: relative; grid-template-columns: minmax(0, 1fr); }
  .pictured > .drawn { position: absolute; top: 0; right: 0; width: 4.5rem; }
  .pictured:has(> .drawn) h1 { padding-right: 5rem; }
}
@media (min-width: 44rem) { .picture.whole img { object-position: right top; } .pictured, .pictured:has(> .drawn) { grid-template-columns: minmax(0, 1fr) 15rem; } .picture.drawn { max-width: 11rem; margin-left: auto; width: 100%; } }
.thumb { display: block; width: 64px; height: 64px; object-fit: cover; object-position: top; background: var(--raised); border-radius: var(--round); }
.listing li.seen, .listing.by-date li.seen { grid-template-columns: 4.5rem minmax(0, 1fr) 64px; }
.listing.by-date li.seen { grid-template-columns: 8rem minmax(0, 1fr) 64px; }
@media (max-width: 30rem) {
  .thumb { width: 52px; height: 52px; }
  .listing li.seen { grid-template-columns: 3.5rem minmax(0, 1fr) 52px; }
  .listing.by-date li.seen { grid-template-columns: minmax(0, 1fr) 52px; }
  .listing.by-date li.seen > :first-child { grid-column: 1 / -1; }
}
.map img, .map svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: var(--round); }
.map circle { fill: var(--accent); stroke: var(--on-accent); stroke-width: 3; }
.map figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s4); margin-top: var(--s2); }
audio { display: block; width: 100%; max-width: 38rem; margin-top: var(--s5); }
.tracks .at a { color: inherit; }
.tracks a[aria-current] { color: var(--accent); font-weight: 600; }`;

const days = `
.days { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s3) var(--s5); margin-top: var(--s5); }
.days nav { min-width: 0; max-width: 100%; }
.days .chips a, .genre-chips .chips a { min-height: 44px; white-space: nowrap; }
/* The days that do not fit the first row share the second one with the date. */
@media (min-width: 30.01rem) { .days { justify-content: start; gap: var(--s2); } .days nav, .days .chips { display: contents; } }
.day-forms { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.pick { display: flex; align-items: center; gap: var(--s2); }
.pick input { width: 9.75rem; }
.pick button, .near button { white-space: nowrap; flex: none; padding-inline: var(--s3); font-size: .9375rem; }
@media (max-width: 30rem) { .pick input { width: 9.25rem; padding-inline: var(--s2); font-size: .9375rem; } .home .lead { display: none; } }
.genre-chips { margin-top: var(--s3); }
.genre-chips .chips a { border-color: transparent; background: var(--raised); }
.genre-chips .chips a[aria-current] { background: var(--ink); }
.chips .count { color: var(--soft); font: 400 var(--small)/1 var(--mono); }
/* One row each that is moved sideways, so that the events begin on the first screen. */
@media (max-width: 30rem) {
  .days nav, .genre-chips { margin-inline: calc(-1 * var(--s4)); max-width: none; width: calc(100% + 2 * var(--s4)); }
  .days .chips, .genre-chips .chips { gap: 6px; flex-wrap: nowrap; overflow-x: auto; padding-inline: var(--s4); scrollbar-width: none; }
  .days .chips a, .genre-chips .chips a { font-size: .9375rem; }
  .days .chips li:has([aria-current]), .genre-chips > .chips li:has([aria-current]) { order: -1; }
  .filter-tags .chips { flex-wrap: wrap; }
  .genre-chips details { padding-inline: var(--s4); }
  .genre-chips details .chips { flex-wrap: wrap; padding-inline: 0; }
}
.genre-chips summary { display: inline-flex; align-items: center; min-height: 44px; color: var(--soft); cursor: pointer; }
.place { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s5); }
.place ~ .notice { margin-block: var(--s3); }
.remember .small { min-height: 36px; padding: 0 var(--s3); font-size: var(--small); }
@media (max-width: 30rem) { .remember .small { min-height: 44px; } }
.near { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.lead + .near { margin-top: var(--s4); }
.place + .answer, header + .answer { margin-top: var(--s4); }
.answer { font-size: var(--large); font-weight: 650; letter-spacing: -.015em; }
.understood { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.listing .nothing, .listing .more { padding-block: var(--s2); }
.listing h3 a { text-decoration-color: transparent; }
.listing h3 a:hover { text-decoration-color: currentColor; }
@media (max-width: 30rem) { .listing h3 a { padding-block: .7rem; } }
.listing.by-city h3 .small { font-weight: 400; margin-left: var(--s1); }
.names .upcoming { display: block; color: var(--soft); }
.month { width: 100%; table-layout: fixed; border-collapse: collapse; }
.month th { padding: var(--s1) var(--s2); text-align: left; color: var(--soft); font: 600 var(--small)/1.4 var(--mono); }
.month td { height: 5.25rem; padding: 0; border: 1px solid var(--line); vertical-align: top; }
.month td.off { border-width: 0; }
.month .number { display: block; font: 600 var(--text)/1.4 var(--mono); font-variant-numeric: tabular-nums; }
.month td > .number { padding: var(--s2); color: var(--soft); font-weight: 400; }
.month a { display: block; height: 100%; padding: var(--s2); text-decoration-color: transparent; }
.month a:hover { background: var(--raised); text-decoration-color: currentColor; }
.month .events { color: var(--accent); font-size: var(--small); }
.month .today { outline: 2px solid var(--ink); outline-offset: -2px; }
@media (min-width: 40.01rem) { .month .long { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } }
@media (max-width: 40rem) {
  .month, .month tbody, .month tr, .month td { display: block; width: 100%; height: auto; }
  .month thead, .month td.none, .month td.off, .month .number { display: none; }
  .month td { border: 0; border-bottom: 1px solid var(--line); }
  .month a { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s3); min-height: 44px; align-items: center; padding-inline: 0; font-weight: 600; }
  .month .today a { padding-inline: var(--s3); }
  .month .events { font-weight: 400; }
}`;

/** The whole stylesheet of the pages of the catalogue. */
export const siteStylesheet: string = compactStyle([sheet, timetable, media, days].join(''));
