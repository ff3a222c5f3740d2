/** Parses JSON with the errors that occur in web pages: comments, HTML entities, trailing commas. */
import { parseJson } from '../common/parse-json.ts';

/**
 * Parses the content of a script. Accepts byte order marks, comments, CDATA, entities, trailing commas, line breaks
 * in strings, and several values in a row.
 * @returns undefined if the text cannot be parsed
 */
export function parseLenientJson(text: string): unknown {
  const bare = stripWrappers(text);
  if (bare === '') return null;
  const strict = tryParse(bare);
  if (strict !== undefined) return strict;
  try {
    return parseRepaired(bare);
  } catch {
    // The text is too long for a regular expression.
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
    return parseJson(text);
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

/** Repairs common errors of hand-written JSON, outside and inside of strings. */
function repair(text: string): string {
  const pieces = /"(?:\\[\s\S]|[^"\\])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|[^"/]+|\//g;
  const mended = (text.match(pieces) ?? []).map((piece) => {
    if (piece.startsWith('"')) return repairString(piece);
    return /^\/[/*]/.test(piece) ? ' ' : piece;
  });
  return dropTrailingCommas(mended);
}

/** Removes commas before a closing bracket. */
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
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain them
    .replace(/[\u0000-\u001f]/g, (control) => escapes[control] ?? '');
