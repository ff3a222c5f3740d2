/** Slugs (docs/spec/slugs.md): ASCII, lower case, hyphens; readable and never empty, whatever the name is written in. */
import anyAscii from 'any-ascii';
import { fold } from './fold.ts';

/** Signs that stand for the letter they look like when they stand in a word. */
const lookalikes: Record<string, string> = { $: 's', '€': 'e', '¥': 'y', '£': 'l', '@': 'a', '¢': 'c' };
const lookalikePattern = /[$€¥£@¢]/g;

/** What a sign is called, for names that have nothing else. */
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

/** At most 80 characters, ending with a whole word. */
const truncateSlug = (slug: string): string => {
  if (slug.length <= maxSlugLength) return slug;
  const cut = slug.slice(0, maxSlugLength);
  return (cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut).replace(/-+$/, '');
};

/** The slug that a name gives, before anybody else had it; `kind` is what is left when nothing of it can be spelled. */
export function slugOf(name: string, kind: string): string {
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

/** Whether the sign at `at` stands next to a letter or digit. */
function isBesideLetter(name: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(name.charAt(at - 1)) || /[\p{L}\p{N}]/u.test(name.charAt(at + 1));
}
