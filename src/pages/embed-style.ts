/**
 * The style sheet of lists that other sites embed. It stands alone: an embedded list loads this file and the pictures of its events.
 * The theme is the visitor's, or the one that the address names.
 */
export const embedStylesheet = `:root {
  color-scheme: light dark;
  --paper: light-dark(#f5f2ea, #131211); --ink: light-dark(#1a1814, #ece8de); --soft: light-dark(#5c564b, #aaa395);
  --line: light-dark(#d8d2c4, #36332d); --accent: light-dark(#ad2e0a, #ff8d60); --bad: light-dark(#a1160f, #ffa193);
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; padding: 1rem; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif;
}
h1, h2, h3, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 1.25rem; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin-top: 1.25rem; padding-bottom: .25rem; font-size: 1rem; border-bottom: 2px solid var(--ink); }
a { color: inherit; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: .2em; }
a:hover { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.listing li { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0 .75rem; padding-block: .5rem; border-bottom: 1px solid var(--line); }
.listing time, .listing .time { font-weight: 600; font-variant-numeric: tabular-nums; }
.listing .time.none { color: var(--soft); font-weight: 400; }
.listing a.name { font-weight: 650; text-decoration-color: transparent; }
/* The whole entry is the link. */
.listing li { position: relative; }
.listing a.name::after { content: ''; position: absolute; inset: 0; }
.listing a.name:hover, .listing a.name:focus-visible { text-decoration-color: currentColor; }
.listing .off a.name { text-decoration: line-through; }
.listing p { color: var(--soft); font-size: .9375rem; }
.listing p.acts { color: var(--ink); }
.listing li.seen { grid-template-columns: 3.5rem minmax(0, 1fr) 52px; }
.thumb { display: block; width: 52px; height: 52px; object-fit: cover; object-position: top; border-radius: 2px; }
.tag { padding: 0 .4em; font-size: .75rem; font-weight: 600; border: 1px solid currentColor; border-radius: 2px; }
.tag.bad { color: var(--bad); }
.empty { margin-top: 1rem; color: var(--soft); }
footer { margin-top: 1rem; font-size: .9375rem; }
footer a { display: inline-flex; align-items: center; min-height: 44px; }
`;
