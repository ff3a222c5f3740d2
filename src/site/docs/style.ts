/** The looks of documentation, and of Swagger UI within it: by the tokens that all pages share (`pages/style.ts`). */

const text = `
.sheet { display: grid; gap: var(--s6); grid-template-columns: minmax(0, 1fr); }
.sheet .guides { border-top: 1px solid var(--line); padding-top: var(--s4); }
.sheet .guides h2 { margin-bottom: var(--s1); font-size: var(--text); color: var(--soft); }
.sheet .guides a { display: inline-block; min-height: 36px; padding-block: 6px; line-height: 24px; text-decoration-color: transparent; }
.sheet .guides a:hover { text-decoration-color: currentColor; }
.sheet .guides a[aria-current] { font-weight: 650; text-decoration-color: var(--accent); }
@media (min-width: 30rem) { .sheet .guides ol { columns: 12rem; column-gap: var(--s5); } }
@media (min-width: 52rem) {
  .sheet { grid-template-columns: minmax(0, 1fr) 12rem; }
  .sheet .guides { position: sticky; top: var(--s4); align-self: start; border-top: 0; border-left: 1px solid var(--line); padding: 0 0 0 var(--s4); }
  .sheet .guides ol { columns: auto; }
}
.prose { max-width: 44rem; }
.prose > * + * { margin-top: var(--s4); }
.prose > h2 { margin-top: var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); }
.prose > h3 { margin-top: var(--s5); }
.prose :is(h1, h2, h3) a { text-decoration: none; }
.prose :is(h2, h3) a:hover::after { content: ' #'; color: var(--soft); }
.prose ul { list-style: disc; padding-left: 1.25rem; }
.prose ol { list-style: decimal; padding-left: 1.5rem; }
.prose li + li { margin-top: var(--s1); }
.prose :not(pre) > code { padding: .05em .3em; background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); }
.prose a code { color: inherit; }
.prose a:has(code) { text-underline-offset: .4em; }
.prose :is(.wide, .code) {
  /* What is cut off casts a shadow at that edge; at the end of the way its cover has come along. */
  --on: var(--paper); overflow-x: auto;
  background:
    linear-gradient(to right, var(--on) 1rem, transparent 2.5rem) left / 2.5rem 100% local no-repeat,
    linear-gradient(to left, var(--on) 1rem, transparent 2.5rem) right / 2.5rem 100% local no-repeat,
    linear-gradient(to right, var(--edge), transparent .75rem) left / .75rem 100% no-repeat,
    linear-gradient(to left, var(--edge), transparent .75rem) right / .75rem 100% no-repeat,
    var(--on);
}
.prose .code { --on: var(--raised); }
.prose td, .prose th { vertical-align: top; overflow-wrap: break-word; }
.prose blockquote { margin-inline: 0; padding-left: var(--s4); border-left: 4px solid var(--accent); }
.prose td code, .prose th code { overflow-wrap: normal; }
.prose td:first-child code { white-space: nowrap; }
.snippet { position: relative; }
.snippet .code { white-space: pre; overflow-wrap: normal; padding: var(--s3) var(--s4); font-size: .875rem; }
/* On a phone most lines of code are too long: there they go on in the next one, set off from the lines that begin. */
@media (max-width: 44rem) { .snippet .code { white-space: pre-wrap; overflow-wrap: anywhere; padding-inline: var(--s3); font-size: .8125rem; } .snippet code span { display: inline-block; max-width: 100%; padding-left: 2ch; text-indent: -2ch; } }
.snippet .copy { position: absolute; top: var(--s1); right: var(--s1); min-height: 32px; padding: 0 var(--s3); font-size: var(--small); background: var(--raised); opacity: 0; }
.snippet:hover .copy, .copy:focus-visible { opacity: 1; }
@media (hover: none) { .snippet .copy { opacity: 1; position: static; margin-top: var(--s1); } }
.after a { display: inline-flex; align-items: center; min-height: 32px; }
.after { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); margin-top: var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); }
.toc { margin-top: var(--s5); border-top: 1px solid var(--line); counter-reset: guide; max-width: 46rem; }
.toc li { counter-increment: guide; display: grid; grid-template-columns: 3rem minmax(0, 1fr); padding-block: var(--s3); border-bottom: 1px solid var(--line); }
.toc li::before { content: counter(guide, decimal-leading-zero); grid-row: span 2; font: 600 var(--small)/2.1 var(--mono); color: var(--accent); }
.toc h2 a { text-decoration-color: transparent; } .toc h2 a:hover { text-decoration-color: currentColor; }
@media (max-width: 30rem) {
  .sheet .guides a, .snippet .copy, .after a { min-height: 44px; padding-block: 10px; }
  .prose :is(h1, h2, h3) a { padding-block: 9px; }
  .toc li { position: relative; } .toc h2 a::after { content: ''; position: absolute; inset: 0; }
  .endpoints .rows a { padding-block: .8rem; }
}
.changes-of { margin-top: var(--s6); }
.changes { margin-top: var(--s3); max-width: 46rem; border-top: 1px solid var(--line); }
.changes li { display: grid; gap: var(--s1) var(--s5); padding-block: var(--s4); border-bottom: 1px solid var(--line); }
@media (min-width: 40rem) { .changes li { grid-template-columns: 8rem minmax(0, 1fr); align-items: baseline; } }
.changes .tag { color: var(--bad); margin-right: var(--s2); }`;

const reference = `
.key-panel { margin-top: var(--s5); padding: var(--s4); border: 2px solid var(--ink); border-radius: var(--round); background: var(--raised); }
#open-one { margin-top: var(--s5); }
@media (scripting: none) { .key-panel, #open-one { display: none; } }
.key-panel > * + * { margin-top: var(--s3); }
.key-panel .actions { margin-top: var(--s3); }
.key-panel #key-state { color: var(--soft); max-width: 46rem; }
.key-panel input { font-family: var(--mono); font-size: .9rem; background: var(--paper); }
#glance { margin-top: var(--s4); }
#glance summary { font-weight: 600; }
#reference { margin-top: var(--s4); }
.endpoints > section { margin-top: var(--s5); }
.endpoints .rows { margin-top: var(--s3); }
.endpoints code { font-size: .9375rem; font-weight: 600; overflow-wrap: break-word; }
#drawn:focus { outline: none; }
#reference[aria-busy] { opacity: .5; cursor: progress; }
.endpoints .rows > li { justify-content: start; grid-template-columns: minmax(0, 30rem) minmax(0, 1fr); }
@media (max-width: 44rem) { .endpoints .rows > li { grid-template-columns: minmax(0, 1fr); } }`;

/**
 * Swagger UI's own colours are for its own page: here they are ours, in both lights, so that its own dark mode is left
 * out.
 */
const viewer = `
.swagger-ui{ color: var(--ink); font-family: var(--sans); }
#drawn main { max-width: none; margin: 0; padding: 0; border: 0; }
.swagger-ui .wrapper { padding: 0; max-width: none; }
.swagger-ui .filter-container, .swagger-ui .swagger-container > div:empty { display: none; }
.swagger-ui .information-container, .swagger-ui .scheme-container, .swagger-ui .authorization__btn { display: none; }
.swagger-ui :is(h1, h2, h3, h4, h5, p, li, label, table, td, th, span, div, small, section, button, input, select, textarea, a) { color: var(--ink); }
.swagger-ui :is(h1, h2, h3, h4, h5, p, li, label, table, td, th, span, div, small, section, button, a) { font-family: inherit !important; }
.swagger-ui .wrapper :is(code, pre, textarea, .opblock-summary-path, .opblock-summary-method, .parameter__name, .parameter__type, .parameter__in, .prop-type, .model, .response-col_status, [class*=json-schema-2020-12]) { font-family: var(--mono) !important; }
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path * { word-break: normal; overflow-wrap: break-word; }
.swagger-ui .opblock-tag { padding: var(--s4) 0 var(--s2); font-size: var(--large); border-bottom: 2px solid var(--ink) !important; align-items: baseline; }
.swagger-ui .opblock-tag:hover { background: none !important; }
.swagger-ui .opblock-tag small { display: none; }
.swagger-ui .opblock-tag .expand-operation { margin-left: auto; padding-right: 10px; }
.swagger-ui .opblock-tag-section { margin-top: var(--s4); }
.swagger-ui .opblock.opblock-get { margin: 0; border: 0; border-bottom: 1px solid var(--line); border-radius: 0; box-shadow: none; background: none; }
.swagger-ui .opblock.opblock-get.is-open { border: 1px solid var(--edge); background: var(--raised); margin-block: var(--s3); }
.swagger-ui .opblock.opblock-get .opblock-summary{ padding: var(--s2) 0; border: 0; min-height: 44px; }
.swagger-ui .opblock.is-open .opblock-summary{ padding-inline: var(--s3) !important; border-bottom: 1px solid var(--line) !important; }
.swagger-ui .opblock.opblock-get .opblock-summary-method{ min-width: 3.5rem; padding: var(--s1) var(--s2); background: var(--ink); color: var(--paper); border-radius: var(--round); font-size: .75rem; text-shadow: none; }
.swagger-ui .opblock .opblock-summary-path { font-size: .9375rem; font-weight: 600; max-width: none; }
.swagger-ui .opblock .opblock-summary-path a, .swagger-ui .opblock .opblock-summary-path span { color: var(--ink) !important; font-family: var(--mono); }
.swagger-ui .opblock .opblock-summary-description { color: var(--soft) !important; font-size: .9375rem; }
.swagger-ui .opblock .opblock-section-header{ background: none !important; box-shadow: none; border-top: 1px solid var(--line); min-height: 44px; padding: var(--s2) var(--s3); }
.swagger-ui .opblock-body .opblock-section:first-child .opblock-section-header { border-top: 0; }
.swagger-ui .opblock .opblock-section-header h4, .swagger-ui .opblock .opblock-section-header .tab-item.active h4 span { font-size: var(--text); }
.swagger-ui .opblock .opblock-section-header .tab-item.active h4 span::after { display: none; }
.swagger-ui :is(.opblock-description-wrapper, .opblock-external-docs-wrapper, .opblock-title_normal) { padding: var(--s3); font-size: .9375rem; }
.swagger-ui .opblock .table-container, .swagger-ui .responses-inner { padding: var(--s3); }
.swagger-ui table.parameters > thead, .swagger-ui table.responses-table > thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.swagger-ui table { width: 100%; table-layout: auto; }
.swagger-ui table tbody tr td { padding: var(--s3) var(--s3) var(--s3) 0; border-bottom: 1px solid var(--line); }
.swagger-ui table tbody tr td:first-of-type { min-width: 9rem; width: 11rem; max-width: none; padding-left: 0; overflow-wrap: normal; }
.swagger-ui table.headers tbody tr td { padding: var(--s1) var(--s3) var(--s1) 0; width: auto; }
.swagger-ui .parameter__name { font: 600 .9375rem/1.4 var(--mono); color: var(--ink) !important; }
.swagger-ui .parameter__name.required span { font-size: .75rem; }
.swagger-ui .parameter__name.required::after, .swagger-ui .parameter__name.required span { color: var(--bad) !important; }
.swagger-ui .parameter__type { padding: 0; font-weight: 400; }
.swagger-ui .parameters-col_description { margin: 0; }
.swagger-ui :is(.parameter__type, .parameter__in, .parameter__deprecated, .prop-format, .parameter__enum, .parameter__default) { color: var(--soft) !important; font-size: var(--small); }
.swagger-ui .renderedMarkdown p{ color: var(--ink); font-size: .9375rem; margin: 0 0 var(--s2); }
.swagger-ui .renderedMarkdown code{ color: var(--ink) !important; background: var(--paper); border: 1px solid var(--line); padding: .05em .3em; }
.swagger-ui :is(.opblock, .models) :is(input[type=text], select, textarea) {
  width: 100%; max-width: 26rem !important; min-height: 44px; margin: var(--s1) 0; padding: var(--s2) var(--s3); color: var(--ink); background-color: var(--paper); border: 1px solid var(--edge) !important; border-radius: var(--round); box-shadow: none; font: .9375rem/1.4 var(--mono);
}
.swagger-ui select { padding-right: 2rem; width: auto; background-image: none; appearance: auto; }
.swagger-ui .btn{ min-height: 44px; border: 2px solid var(--edge); border-radius: var(--round); background: transparent; color: var(--ink); box-shadow: none; font: 600 .9375rem/1.2 var(--sans); }
.swagger-ui .btn.execute{ background: var(--ink); border-color: var(--ink); color: var(--paper); }
.swagger-ui .btn.execute:hover{ background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.swagger-ui .btn-group { padding: 0 var(--s3) var(--s3); }
.swagger-ui .execute-wrapper { padding: var(--s2) var(--s3) var(--s4); text-align: left; }
.swagger-ui .execute-wrapper .btn { width: auto; padding-inline: var(--s5); }
.swagger-ui .btn-group .btn { flex: 0 1 auto; padding-inline: var(--s5); }
.swagger-ui .btn-group .btn + .btn { margin-left: var(--s3); border-color: var(--edge) !important; color: var(--ink) !important; }
.swagger-ui .try-out__btn { display: none; }
.swagger-ui :is(.opblock-summary-control, .opblock-control-arrow, .expand-operation, .model-box-control, .models-control, .json-schema-2020-12-accordion, .json-schema-2020-12-expand-deep-button) { min-height: 0; background: none !important; border: 0; box-shadow: none; outline-offset: 2px; justify-content: flex-start; }
.swagger-ui .opblock :is(h4, h5, label, td, th, .response-col_status, .opblock-title_normal) { color: var(--ink) !important; }
.swagger-ui :is(svg, svg path) { fill: var(--ink) !important; }
.swagger-ui button:hover :is(svg, svg path) { fill: var(--accent) !important; }
.swagger-ui .view-line-link.copy-to-clipboard { display: none; }
.swagger-ui .opblock-body pre.microlight, .swagger-ui .highlight-code > .microlight, .swagger-ui .curl.microlight, .swagger-ui .example.microlight {
  background: var(--paper) !important; color: var(--ink) !important; border: 1px solid var(--line); border-radius: 0; padding: var(--s3) !important; font: .8125rem/1.5 var(--mono) !important; max-height: 26rem;
}
.swagger-ui .microlight code, .swagger-ui .microlight span { font-family: var(--mono); color: var(--ink) !important; font-weight: 400 !important; }
.swagger-ui .microlight .hljs-attr { color: var(--second) !important; }
.swagger-ui .microlight .hljs-string { color: var(--accent) !important; }
.swagger-ui .microlight :is(.hljs-number, .hljs-literal) { color: var(--good) !important; }
.swagger-ui .copy-to-clipboard { background: #857e70 !important; border-radius: var(--round); }
.swagger-ui .download-contents { background: var(--raised) !important; border: 1px solid var(--edge); border-radius: var(--round); min-height: 32px; height: auto; }
.swagger-ui .download-contents { color: var(--ink); }
.swagger-ui .copy-to-clipboard button{ min-height: 0; border: 0; background-color: transparent; }
.swagger-ui .curl-command .copy-to-clipboard button { filter: none; }
.swagger-ui .response-col_status { font-weight: 600; }
.swagger-ui .tab li { color: var(--soft); }
.swagger-ui .tab li button.tablinks{ min-height: 36px; padding: 0 var(--s1); background: none; border: 0; color: var(--ink) !important; font-weight: 400; }
.swagger-ui .tab li.active button.tablinks { font-weight: 650; text-decoration: underline var(--accent) 2px; text-underline-offset: .2em; }
.swagger-ui .response-control-media-type--accept-controller select{ border-color: var(--edge) !important; }
.swagger-ui .response-control-media-type__accept-message { display: none; }
.swagger-ui :is(.response-control-media-type__title, .response-control-examples__title) { font-size: var(--small) !important; }
.swagger-ui .response-controls { align-items: start; padding-top: var(--s2); }
.swagger-ui .headers-wrapper, .swagger-ui .response-col_description h5 { font-size: var(--small); }
.swagger-ui table.headers td{ color: var(--ink) !important; font-size: var(--small); }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .response:not([data-code='200']) .headers-wrapper { display: none; }
.swagger-ui .loading-container .loading::after { color: var(--ink); }
.swagger-ui section.models{ border: 0; border-top: 2px solid var(--ink); border-radius: 0; margin: var(--s6) 0 0; padding: 0; }
.swagger-ui section.models h4, .swagger-ui section.models.is-open h4 { border: 0; padding: var(--s3) 0; margin: 0; }
.swagger-ui section.models .model-container, .swagger-ui section.models .json-schema-2020-12{ background: none !important; margin: 0; border-bottom: 1px solid var(--line); border-radius: 0; }
.swagger-ui [class*=json-schema-2020-12] { color: var(--ink); font-family: var(--mono); }
.swagger-ui .json-schema-2020-12__title { font-size: .9375rem; color: var(--ink) !important; }
.swagger-ui .json-schema-2020-12__attribute--primary { color: var(--second) !important; }
.swagger-ui .json-schema-2020-12__attribute--muted, .swagger-ui .json-schema-2020-12-keyword__name--secondary, .swagger-ui .json-schema-2020-12-expand-deep-button { color: var(--soft) !important; }
.swagger-ui .json-schema-2020-12-body { border-left: 1px dashed var(--edge) !important; }
.swagger-ui .json-schema-2020-12-keyword__value { color: var(--accent) !important; border-color: var(--edge) !important; }
.swagger-ui .json-schema-2020-12__constraint { background: var(--ink) !important; color: var(--paper) !important; }
.swagger-ui .model-box { background: var(--paper) !important; max-width: 100%; overflow-x: auto; }
.swagger-ui .errors-wrapper { background: var(--bad-paper); border-color: var(--bad); }
@media (max-width: 44rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex-direction: column; align-items: flex-start; gap: 0; padding: 0 var(--s2); width: auto; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-description { text-align: left; padding: 0; }
  .swagger-ui .opblock .opblock-summary-path { padding: 0; }
  .swagger-ui .parameter__type, .swagger-ui .parameter__in { display: inline-block; margin-right: var(--s2); }
  .swagger-ui table:not(.headers) > tbody > tr { display: block; border-bottom: 1px solid var(--line); padding-block: var(--s2); }
  .swagger-ui table:not(.headers) > tbody > tr > td { display: block; border: 0; padding: var(--s1) 0; width: auto !important; max-width: none !important; }
}`;

export const stylesheet: string = [text, reference, viewer].join('').replace(/\n\s*/g, '\n').trim();
