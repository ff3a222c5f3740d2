/** The stylesheet of the header (`header.tsx`, class `bar`) and of its search box. `style.ts` defines the variables. */

const bar = `
.bar .service { order: 1; }
.bar search { order: 2; flex: 1 0 100%; }
.bar .sections { order: 3; flex: 1 0 100%; min-width: 0; }
.bar .sections ul { gap: 0 var(--s5); }
.bar .sections a { white-space: nowrap; }
@media (max-width: 44.9rem) {
  /* All of them in sight, in rows below each other: nothing has to be scrolled to. */
  .bar .sections ul { display: flex; flex-wrap: wrap; gap: 0 var(--s2); margin-top: var(--s1); }
  .bar .sections li { flex: 0 0 max(4.4rem, (100% - 3 * var(--s2)) / 4); min-width: max-content; }
  .bar .sections a { min-height: 44px; font-size: .9375rem; }
  .bar .sections a[aria-current] { letter-spacing: -.03em; }
  .bar .mark img { max-width: 6rem; }
}
@media (min-width: 45rem) {
  .bar search { order: 0; flex: 0 1 22rem; margin-right: auto; }
  .bar:has(search) .mark { margin-right: 0; }
}`;

const searchBox = `
.find { position: relative; display: flex; gap: var(--s2); }
.find input { min-width: 0; flex: 1; }
.find input::-webkit-search-cancel-button { filter: grayscale(1); }
.find button { flex: none; }
.find.compact button { min-width: 44px; padding-inline: var(--s3); }
.find.compact button:not(:hover) { border-color: var(--edge); }
.find.large { max-width: 40rem; margin-top: var(--s5); }
.find.large input { min-height: 56px; font-size: var(--large); border: 2px solid var(--ink); }
.find.large button { min-height: 56px; padding-inline: var(--s5); }
@media (max-width: 30rem) {
  .find.large input { font-size: var(--text); }
  .find.large button { padding-inline: var(--s4); }
}
.find [role=listbox] { position: absolute; z-index: 2; top: calc(100% + 4px); left: 0; right: 0; max-height: 70vh; overflow-y: auto; background: var(--raised); border: 2px solid var(--ink); border-radius: var(--round); }
.bar .find [role=listbox] { min-width: min(22rem, calc(100vw - 2rem)); left: auto; }
.find [role=option] { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: 0 var(--s3); align-items: baseline; padding: var(--s2) var(--s3); min-height: 44px; cursor: pointer; border-bottom: 1px solid var(--line); }
.find #hit-all { display: block; }
.find [role=option]:last-child { border-bottom: 0; }
.find [role=option]:hover { background: var(--paper); }
.find [role=option][aria-selected=true] { background: var(--ink); color: var(--paper); }
.find [role=option][aria-selected=true] :is(.soft, .label) { color: inherit; }
.find [role=option] b { font-weight: 650; }`;

export const barStylesheet: string = bar + searchBox;
