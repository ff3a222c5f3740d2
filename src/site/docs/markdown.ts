/** Our own Markdown as HTML. Of what is put into it only the service's name is somebody else's: it is escaped. */
import { Marked, type Tokens } from 'marked';
import { guides } from '../../contract/guides.ts';
import { escapeMarkdown } from '../../contract/openapi.ts';
import type { DocsContext } from './layout.tsx';

type DocsFacts = Pick<DocsContext, 'baseUrl' | 'accountUrl' | 'name'>;

/** Puts this service's addresses and name in the place of `{base_url}`, `{account_url}` and `{name}`. */
export const fillPlaceholders = (text: string, { baseUrl, accountUrl, name }: DocsFacts): string =>
  text
    .replaceAll('{base_url}', baseUrl)
    .replaceAll('{account_url}', accountUrl)
    .replaceAll('{name}', () => escapeMarkdown(name));

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] as string);

/** What a heading is linked by: as GitHub does it, so that links work there too. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * A link as the site has it: of `paging.md#cursors` the page `/docs/guides/paging#cursors`; a path from the top of the
 * site (`/docs`) below its prefix.
 */
function hrefOf(href: string, prefix: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guides.some((guide) => guide.name === name)) return `${prefix}/docs/guides/${name}${anchor}`;
  return href.startsWith('/') ? prefix + href : href;
}

/** Lines of code, each an element: where one is too long for the screen, it can be told from the next. */
const codeLines = (code: string): string =>
  code
    .split('\n')
    .map((line) => `<span>${escapeHtml(line)}</span>`)
    .join('\n');

/** Markdown as HTML; headings have anchors, code can be copied, tables scroll by themselves. */
export function toHtml(markdown: string, prefix: string): string {
  let codes = 0;
  const marked = new Marked({ gfm: true });
  marked.use({
    // What is a link, is written as one.
    tokenizer: { url: () => undefined },
    renderer: {
      // None of our texts has any.
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = anchorOf(text.replace(/`/g, ''));
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(hrefOf(href, prefix))}">${this.parser.parseInline(tokens)}</a>`;
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
