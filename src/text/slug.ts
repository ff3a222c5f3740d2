/** Makes slugs of names (docs/spec/slugs.md): ASCII, lower case, hyphens; never empty, for names in any script. */
import anyAscii from 'any-ascii';
import { fold } from './fold.ts';

/** Symbols that stand for a letter inside a word. */
const lookalikes: Record<string, string> = { $: 's', '€': 'e', '¥': 'y', '£': 'l', '@': 'a', '¢': 'c' };
const lookalikePattern = /[$€¥£@¢]/g;

/** Names of symbols, for names of symbols alone. */
const signNames: Record<string, string> = {
  '!': 'exclamation',
  '?': 'question',
  '*': 'star',
  '+': 'plus',
  '#': 'hash',
  '%': 'percent',
  '=': 'equals',
  '~': 'tilde',
  '^': 'caret',
  '.': 'dot',
  '-': 'dash',
  _: 'underscore',
  '/': 'slash',
  '\\': 'backslash',
  '|': 'bar',
  ':': 'colon',
  ';': 'semicolon',
  ',': 'comma',
  '<': 'less',
  '>': 'greater',
  '(': 'paren',
  ')': 'paren',
  '[': 'bracket',
  ']': 'bracket',
  '{': 'brace',
  '}': 'brace',
  '"': 'quote',
  "'": 'quote',
  '`': 'backtick',
  '∑': 'sum',
  '∞': 'infinity',
  '∆': 'delta',
  '√': 'root',
  '∅': 'empty-set',
  '♥': 'heart',
  '★': 'star',
  '☆': 'star',
  '†': 'cross',
  '‡': 'cross',
  '°': 'degree',
  '■': 'square',
  '●': 'circle',
  '▲': 'triangle',
  '△': 'triangle',
  '▼': 'triangle',
  '◯': 'circle',
};

const maxSlugLength = 80;

const hyphenate = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['’‘ʼ`´]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

/** Cuts a slug to 80 characters at the end of a word. */
const truncateSlug = (slug: string): string => {
  if (slug.length <= maxSlugLength) return slug;
  const cut = slug.slice(0, maxSlugLength);
  return (cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut).replace(/-+$/, '');
};

/** Names of ASCII letters, digits and spaces need no spelling. */
const plainName = /^[a-z0-9 ]+$/i;

/** The slug of a name before numbers are added to make it unique; `kind` if no part of the name can be spelled. */
export function slugOf(name: string, kind: string): string {
  if (plainName.test(name)) return truncateSlug(hyphenate(name)) || kind;
  const letters = name
    .normalize('NFC')
    .replace(/\s*&\s*|\s+\+\s+/g, (sign) => (/^\s|\s$/.test(sign) ? ' and ' : ' '))
    .replace(lookalikePattern, (sign, at: number) =>
      isBesideLetter(name, at) ? (lookalikes[sign] as string) : ' ',
    );
  const spelled = hyphenate(anyAscii(fold(letters)));
  if (/[a-z0-9]/.test(spelled)) return truncateSlug(spelled);
  const signs = [...name.normalize('NFKC')]
    .flatMap((sign) => signNames[sign] ?? hyphenate(anyAscii(sign)))
    .filter(Boolean);
  return truncateSlug(signs.slice(0, 8).join('-')) || kind;
}

/** Whether the symbol at `at` stands next to a letter or digit. */
function isBesideLetter(name: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(name.charAt(at - 1)) || /[\p{L}\p{N}]/u.test(name.charAt(at + 1));
}
