/** The looks of the console, by the tokens of `style.ts`: forms with lists, tables on small screens, figures. */
export const adminStylesheet: string = `
select, textarea {
  width: 100%; min-height: 44px; padding: var(--s2) var(--s3); font: inherit; color: var(--ink); background: var(--raised);
  border: 1px solid var(--edge); border-radius: var(--round);
}
form.stack { max-width: 34rem; }
.stack-fields { display: grid; gap: var(--s4); max-width: 34rem; }
textarea { min-height: 6rem; resize: vertical; }
.check { display: flex; gap: var(--s2); align-items: center; min-height: 44px; }
.check input { width: 20px; min-height: 20px; height: 20px; flex: none; accent-color: var(--accent); }
.check label { font-weight: 400; }
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
