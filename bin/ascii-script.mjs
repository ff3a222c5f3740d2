/** Writes a bundled script in ASCII, with the same meaning. */
import { parse } from 'acorn';
import { nodesBelow } from './syntax-tree.mjs';

/** Any character outside ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const outsideAscii = /[^\x00-\x7f]/g;
const escapeUnits = (text) =>
  text.replace(outsideAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** A backslash before such a character has no meaning in a pattern, but would be one before its escape. */
const escapePattern = (text) =>
  text.replace(/\\[\s\S]/g, (pair) => (pair[1] > '\x7f' ? pair[1] : pair)).replace(outsideAscii, escapeUnits);

/**
 * Replaces characters outside ASCII by escapes. V8 keeps a script that has one of them with two bytes for each
 * character, so that 2,000 of them took 13 MB of memory in every process. esbuild escapes strings and names; regular
 * expressions and the texts of String.raw remain.
 *
 * @throws Error if another part of the script has such a character
 */
export function toAscii(code) {
  if (code.search(outsideAscii) === -1) return code;
  const parts = [];
  const tree = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    onToken: ({ type, start, end }) => {
      if (type.label === 'regexp') parts.push({ start, end, replace: escapePattern });
    },
  });
  for (const { start, end } of rawTexts(tree, code)) parts.push({ start, end, replace: substitute });
  let ascii = '';
  let at = 0;
  for (const { start, end, replace } of parts.sort((a, b) => a.start - b.start)) {
    ascii += code.slice(at, start) + replace(code.slice(start, end));
    at = end;
  }
  ascii += code.slice(at);
  const rest = ascii.search(outsideAscii);
  if (rest === -1) return ascii;
  const around = ascii.slice(Math.max(0, rest - 60), rest + 20);
  throw new Error(`the bundle has a character outside ASCII: write it as an escape: ${around}`);
}

/**
 * An escape has no meaning in a raw text: the characters are substituted as strings.
 * @throws Error if a backslash precedes one: it would escape the substitution
 */
const substitute = (text) =>
  text.replace(/(\\*)([^\0-\x7f])/g, (_, backslashes, unit) => {
    if (backslashes.length % 2 === 1) throw new Error(`a raw text has a backslash before ${unit}: ${text}`);
    return `${backslashes}\${"${escapeUnits(unit)}"}`;
  });

/** The texts of all `String.raw` templates below a node. */
function* rawTexts(tree, code) {
  for (const { node } of nodesBelow(tree))
    if (node.type === 'TaggedTemplateExpression' && code.slice(node.tag.start, node.tag.end) === 'String.raw')
      yield* node.quasi.quasis;
}
