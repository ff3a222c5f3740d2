/**
 * The looks of the console, by the tokens of `style.ts`: comparisons, tables of fields, forms with lists, tables on small
 * screens, figures.
 */
export const adminStylesheet: string = `
.wide { width: 100%; }
.scroll { overflow-x: auto; }
.scroll table { width: 100%; }
.scroll.runs table { min-width: 38rem; }
.scroll.runs thead th { overflow-wrap: normal; }
fieldset.field { border: 0; min-width: 0; }
fieldset.field legend { font-weight: 600; margin-bottom: var(--s1); padding: 0; }
fieldset.field label.check { font-weight: 400; }
.compare { width: 100%; table-layout: fixed; font-size: var(--text); }
.compare thead th:first-child { width: 8.5rem; }
.compare th[scope=row] { color: var(--soft); font-size: var(--small); vertical-align: top; padding-top: var(--s2); }
.compare td { vertical-align: top; padding-block: var(--s2); }
.compare tr.differs td { background: var(--bad-paper); box-shadow: inset 3px 0 0 var(--bad); padding-left: var(--s3); }
.compare thead th { color: var(--ink); font-size: var(--text); font-weight: 650; }
.compare thead .label { display: block; }
@media (max-width: 40rem) {
  .compare, .compare tbody, .compare tr, .compare td, .compare th { display: block; width: auto; }
  .compare thead { display: none; }
  .compare th[scope=row] { width: auto; border: 0; padding: var(--s3) 0 0; }
  .compare td { border: 0; padding: var(--s1) 0; }
  .compare td::before { content: attr(data-side) '\\00a0\\00a0'; font: 600 .75rem/1.5 var(--mono); color: var(--soft); }
  .compare tr { border-bottom: 1px solid var(--line); padding-bottom: var(--s2); }
}
.weights > li { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: var(--s3); padding-block: var(--s1); border-bottom: 1px solid var(--line); }
.weights .mono { text-align: right; font-variant-numeric: tabular-nums; }
.weights .for { color: var(--good); }
.weights .against { color: var(--bad); }
.verdicts { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--s3); max-width: 40rem; }
.verdicts button kbd { font-size: .8em; opacity: .75; margin-left: var(--s2); }
.verdicts form, .verdicts button { width: 100%; }
@media (max-width: 30rem) {
  .verdicts button { padding-inline: var(--s2); }
  .verdicts button kbd { display: none; }
}
form.grid { display: grid; gap: var(--s4) var(--s5); grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); align-items: end; }
.entries { display: grid; gap: var(--s3); margin-block: var(--s1) var(--s3); }
.entries.single { grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); }
.entry { border: 0; padding: 0; margin: 0; min-width: 0; display: grid; gap: var(--s2) var(--s3); align-items: start; }
.entry .field { min-width: 0; }
.entry label { font-size: var(--small); font-weight: 400; color: var(--soft); }
@media (min-width: 45rem) {
  .entry.acts { grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr) minmax(0, .9fr) minmax(0, 1.5fr) minmax(0, 1.5fr); }
  .entry input, .entry select { font-size: var(--small); padding-inline: var(--s2); }
  .entry.tickets { grid-template-columns: minmax(0, 1.2fr) minmax(0, 2fr) repeat(3, minmax(0, .7fr)) minmax(0, 1.2fr); }
  .entry.links { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); }
  .entry.place { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr); }
  .entry + .entry label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
}
@media (max-width: 44.9rem) {
  .entry.acts, .entry.tickets, .entry.place { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .entry.acts .field:first-child, .entry.tickets .field:nth-child(-n+2), .entry.place .field:first-child { grid-column: 1 / -1; }
  .entries:not(.single) .entry + .entry { border-top: 1px solid var(--line); padding-top: var(--s3); }
}
form.grid > .whole { grid-column: 1 / -1; }
.field .was { font-size: var(--small); color: var(--soft); }
.field .edited { color: var(--accent); font-weight: 600; }
.actions > a[aria-current] { font-weight: 650; }
.states { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); }
.tag.bad { color: var(--bad); } .tag.good { color: var(--good); } .tag.soft { color: var(--soft); }
.notice form { display: inline; }
.inline { display: inline-flex; flex-wrap: wrap; gap: var(--s3); align-items: center; }
textarea {
  width: 100%; min-height: 44px; padding: var(--s2) var(--s3); font: inherit; color: var(--ink); background: var(--raised);
  border: 1px solid var(--edge); border-radius: var(--round);
}
form.stack { max-width: 34rem; }
form.grid .field > :is(input, select, textarea) { order: 1; }
.stack-fields { display: grid; gap: var(--s4); max-width: 34rem; }
textarea { min-height: 6rem; resize: vertical; }
.check { display: flex; gap: var(--s2); align-items: center; min-height: 44px; }
.check input { width: 20px; min-height: 20px; height: 20px; flex: none; accent-color: var(--accent); }
form.filters { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: end; margin-top: var(--s5); }
form.filters .field { flex: 1 1 10rem; max-width: 18rem; }
form.line .field.narrow { flex: 0 1 13.5rem; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: var(--s4) var(--s5); margin-top: var(--s5); }
.numbers > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; border-top: 2px solid var(--ink); padding-top: var(--s2); }
.numbers dt { color: var(--soft); font-size: var(--small); }
.numbers dd { font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; line-height: 1.2; }
.numbers .bad dd { color: var(--bad); }
.numbers a { text-decoration-thickness: 1px; }
.tags { display: inline-flex; flex-wrap: wrap; gap: var(--s1) var(--s2); }
.tag.bad { color: var(--bad); } .tag.good { color: var(--good); }
.row-actions { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; }
.rows .full { grid-column: 1 / -1; min-width: 0; }
.wide { overflow-x: auto; }
.wide table { width: 100%; }
.wide td { vertical-align: top; overflow-wrap: anywhere; }
.side.danger > header .label { color: var(--bad); }
.crumb { margin-bottom: var(--s3); font-size: var(--small); }
.crumb a { display: inline-flex; align-items: center; min-height: 24px; }
.list-end { margin-top: var(--s4); display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: center; }
.list-end a { display: inline-flex; align-items: center; min-height: 44px; }
.changes { display: grid; gap: 0 var(--s4); grid-template-columns: auto minmax(0, 1fr); font-size: var(--small); }
.changes dt { color: var(--soft); }
@media (max-width: 44.9rem) { form.filters .field { max-width: none; } }
`
  .replace(/\n\s*/g, '\n')
  .trim();
