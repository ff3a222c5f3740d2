/** Renders the project's Markdown as HTML. The operator chooses the service's name, so it is escaped. */
import { Marked, type Tokens } from 'marked';
import { guides } from '../../contract/guides.ts';
import { escapeMarkdown } from '../../contract/openapi.ts';
import { escapeXml } from '../../escape-xml.ts';
import type { DocsContext } from './layout.tsx';

type DocsFacts = Pick<DocsContext, 'baseUrl' | 'accountUrl' | 'name'>;

/** The address of the service in the guides, so that they can be read in the repository, too. */
const exampleUrl = 'https://catalogue.example';

/** Replaces the address in a guide, and `{name}`, with the values of this service. */
export const fillPlaceholders = (text: string, { baseUrl, accountUrl, name }: DocsFacts): string =>
  text
    .replaceAll(`${exampleUrl}/account/`, () => `${accountUrl}/account/`)
    .replaceAll(exampleUrl, () => baseUrl)
    .replaceAll('{name}', () => escapeMarkdown(name));

/** The id of a heading, built as on GitHub, so that links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * Converts a link: `paging.md#cursors` to `/docs/guides/paging#cursors`; absolute paths such as `/docs` get the prefix of
 * the site.
 */
function hrefOf(href: string, prefix: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guides.some((guide) => guide.name === name)) return `${prefix}/docs/guides/${name}${anchor}`;
  return href.startsWith('/') ? prefix + href : href;
}

/** Wraps each line of code in an element, so that the style sheet can indent wrapped lines. */
const codeLines = (code: string): string =>
  code
    .split('\n')
    .map((line) => `<span>${escapeXml(line)}</span>`)
    .join('\n');

/** Renders Markdown as HTML: headings with anchors, code with a copy button, tables that scroll. */
export function toHtml(markdown: string, prefix: string): string {
  let codes = 0;
  const marked = new Marked({ gfm: true });
  marked.use({
    // Bare addresses do not become links.
    tokenizer: { url: () => undefined },
    renderer: {
      // The project's texts contain no HTML.
      html: ({ text }) => escapeXml(text),
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = anchorOf(text.replace(/`/g, ''));
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeXml(hrefOf(href, prefix))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text }: Tokens.Code): string {
        const id = `code-${++codes}`;
        const copy = `<button type="button" class="quiet copy" data-copy="${id}" hidden>Copy</button>`;
        return `<div class="snippet"><pre class="code" tabindex="0"><code id="${id}">${codeLines(text)}</code></pre>${copy}</div>\n`;
      },
      table(token: Tokens.Table): string {
        const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}
