/** JSON as it stands in pages: in comments, with entities, with a comma too many. */

/**
 * The value of a script, read leniently: byte order marks, comments, CDATA, entities, commas before a bracket, line
 * breaks within texts, several values one after the other.
 * @returns undefined where nothing can be made of it
 */
export function parseLenientJson(text: string): unknown {
  const bare = stripWrappers(text);
  if (bare === '') return null;
  const strict = tryParse(bare);
  if (strict !== undefined) return strict;
  try {
    return parseRepaired(bare);
  } catch {
    // A text so long that no expression can walk it.
    return undefined;
  }
}

function parseRepaired(bare: string): unknown {
  const decoded = bare.includes('&quot;') && !/"\s*:/.test(bare) ? decodeEntities(bare) : bare;
  const mended = repair(decoded);
  return tryParse(mended) ?? tryParse(`[${mended.replace(/\}\s*\{/g, '},{')}]`);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const stripWrappers = (text: string): string =>
  text
    .replace(/^[\s\ufeff]*(?:\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|<!--)?/, '')
    .replace(/(?<![\s;])[\s;]+$/, '')
    .replace(/(?:\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>|(?:\/\/\s*)?-->)$/, '')
    .trim();

const decodeEntities = (text: string): string =>
  text
    .replace(/&quot;|&#0*34;|&#x0*22;/gi, '"')
    .replace(/&#0*39;|&#x0*27;|&apos;/gi, "'")
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&amp;/gi, '&');

/** What writers of JSON by hand get wrong, put right outside and within texts. */
function repair(text: string): string {
  const pieces = /"(?:\\[\s\S]|[^"\\])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|[^"/]+|\//g;
  const mended = (text.match(pieces) ?? []).map((piece) => {
    if (piece.startsWith('"')) return repairString(piece);
    return /^\/[/*]/.test(piece) ? ' ' : piece;
  });
  return dropTrailingCommas(mended);
}

/** A comma before a closing bracket stands between nothing. */
function dropTrailingCommas(pieces: string[]): string {
  return pieces
    .join('')
    .replace(/"(?:\\[\s\S]|[^"\\])*"?|,(?=\s*[}\]])/g, (match) => (match === ',' ? '' : match));
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const repairString = (text: string): string =>
  text
    .replace(/\\(?!["\\/bfnrtu])/g, '')
    .replace(/\\u(?![\da-f]{4})/gi, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text
    .replace(/[\u0000-\u001f]/g, (control) => escapes[control] ?? '');
