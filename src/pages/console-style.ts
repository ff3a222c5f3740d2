/** The looks of the pages of editors: comparisons, tables of fields, forms with several inputs. */

/** The stylesheet, by the tokens of `style.ts`. */
export const consoleStylesheet = `
.wide { width: 100%; }
.scroll { overflow-x: auto; }
.scroll table { width: 100%; }
.scroll.runs table { min-width: 38rem; }
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
select, textarea {
  width: 100%; min-height: 44px; padding: var(--s2) var(--s3); font: inherit; color: var(--ink); background: var(--raised);
  border: 1px solid var(--edge); border-radius: var(--round);
}
textarea { min-height: 3.5rem; resize: vertical; }
form.grid { display: grid; gap: var(--s4) var(--s5); grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); align-items: end; }
form.grid > .whole { grid-column: 1 / -1; }
.check { display: flex; gap: var(--s3); align-items: center; min-height: 44px; }
.check input { width: 1.25rem; min-height: 1.25rem; flex: none; accent-color: var(--accent); }
.field .was { font-size: var(--small); color: var(--soft); }
.field .edited { color: var(--accent); font-weight: 600; }
.actions > a[aria-current] { font-weight: 650; }
.states { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); }
.tag.bad { color: var(--bad); } .tag.good { color: var(--good); } .tag.soft { color: var(--soft); }
.notice form { display: inline; }
.inline { display: inline-flex; flex-wrap: wrap; gap: var(--s3); align-items: center; }
`;
