/** JSON as it stands in pages: in comments, with entities, with a comma too many. */

/**
 * The value of a script, read leniently: byte order marks, comments, CDATA, entities, commas before a bracket, line
 * breaks within texts, several values one after the other.
 * @returns undefined where nothing can be made of it
 */
export function readJson(text: string): unknown {
  const bare = unwrapped(text);
  if (bare === '') return null;
  const strict = parse(bare);
  if (strict !== undefined) return strict;
  try {
    return parseMended(bare);
  } catch {
    // A text so long that no expression can walk it.
    return undefined;
  }
}

function parseMended(bare: string): unknown {
  const decoded = bare.includes('&quot;') && !/"\s*:/.test(bare) ? withoutEntities(bare) : bare;
  const mended = mend(decoded);
  return parse(mended) ?? parse(`[${mended.replace(/\}\s*\{/g, '},{')}]`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unwrapped = (text: string): string =>
  text
    .replace(/^[\s\ufeff]*(?:\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|<!--)?/, '')
    .replace(/(?<![\s;])[\s;]+$/, '')
    .replace(/(?:\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>|(?:\/\/\s*)?-->)$/, '')
    .trim();

const withoutEntities = (text: string): string =>
  text
    .replace(/&quot;|&#0*34;|&#x0*22;/gi, '"')
    .replace(/&#0*39;|&#x0*27;|&apos;/gi, "'")
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&amp;/gi, '&');

/** What writers of JSON by hand get wrong, put right outside and within texts. */
function mend(text: string): string {
  const pieces = /"(?:\\[\s\S]|[^"\\])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|[^"/]+|\//g;
  const mended = (text.match(pieces) ?? []).map((piece) => {
    if (piece.startsWith('"')) return mendText(piece);
    return /^\/[/*]/.test(piece) ? ' ' : piece;
  });
  return withoutCommas(mended);
}

/** A comma before a closing bracket stands between nothing. */
function withoutCommas(pieces: string[]): string {
  return pieces
    .join('')
    .replace(/"(?:\\[\s\S]|[^"\\])*"?|,(?=\s*[}\]])/g, (match) => (match === ',' ? '' : match));
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const mendText = (text: string): string =>
  text
    .replace(/\\(?!["\\/bfnrtu])/g, '')
    .replace(/\\u(?![\da-f]{4})/gi, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text
    .replace(/[\u0000-\u001f]/g, (control) => escapes[control] ?? '');
