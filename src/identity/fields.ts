/** The values of the identity as an operator writes them: their names, what they accept, and how they are checked. */
import type { IdentityKey } from '../contract/identity.ts';

/** A parsed value as it is stored, or a sentence that says what is wrong. */
export type ParsedText = { value: string } | { problem: string };

export type IdentityField = {
  /** The name in the terminal, on the command line (`--home-city`) and, with the prefix `site.`, in the data file. */
  name: string;
  /** Where it is shown and what it accepts, as the hint below its input. */
  about: string;
  /** What it accepts, as the end of the sentence "imprint is …". */
  accepts: string;
  parse: (text: string) => ParsedText;
};

const accept = (value: string): ParsedText => ({ value });
const refuse = (name: string, accepts: string, text: string): ParsedText => ({
  problem: `${name} is ${accepts}, not ${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)}.`,
});

/** Control characters, and characters that change the direction or the order of a text. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

const line =
  (maxLength: number) =>
  (text: string): string | null => {
    const value = text.trim();
    return value === '' || value.length > maxLength || unsafe.test(value) || !value.isWellFormed()
      ? null
      : value;
  };

function paragraphs(text: string): string | null {
  const value = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const isPlain = !unsafe.test(value.replaceAll('\n', ' ').replaceAll('\t', ' '));
  return value === '' || value.length > 4_000 || !isPlain || !value.isWellFormed() ? null : value;
}

function httpUrl(text: string): string | null {
  const value = text.trim();
  if (value.length > 500 || /[\s<>"]/.test(value) || !URL.canParse(value)) return null;
  const { protocol, username, password, href } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null;
}

/** The template of a tile server. Its origin becomes a part of the Content-Security-Policy, so it has no placeholders. */
function tileTemplate(text: string): string | null {
  const value = text.trim();
  if (value.length > 500 || /[\s<>"';,]/.test(value) || !/^https?:\/\/[^/{}]+\//.test(value)) return null;
  if (!['{z}', '{x}', '{y}'].every((part) => value.split(part).length === 2)) return null;
  return httpUrl(value.replace(/\{[zxy]\}/g, '0')) === null ? null : value;
}

/** An email address (the usual form, without comments and quotes) or an http(s) URL. */
function contact(text: string): string | null {
  const value = text.trim();
  const isEmail =
    value.length <= 254 &&
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.){0,8}[a-z0-9-]{1,63}$/i.test(value);
  return isEmail ? value : httpUrl(value);
}

/** `#0057b8`, `0057b8` or `#05b` as `#0057b8`. */
function colour(text: string): string | null {
  const [, hex] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? [];
  if (hex === undefined) return null;
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  return `#${long.toLowerCase()}`;
}

const switchWords: ReadonlyMap<string, string> = new Map([
  ['on', 'on'],
  ['true', 'on'],
  ['yes', 'on'],
  ['off', 'off'],
  ['false', 'off'],
  ['no', 'off'],
]);

const onOrOff = (text: string): string | null => switchWords.get(text.trim().toLowerCase()) ?? null;

const define = (
  name: string,
  about: string,
  accepts: string,
  parse: (text: string) => string | null,
): IdentityField => ({
  name,
  about,
  accepts,
  parse: (text) => {
    const value = parse(text);
    return value === null ? refuse(name, accepts, text) : accept(value);
  },
});

const urlText = 'an http or https address of at most 500 characters';

/** All values except the logo, which is a file, in the order in which they are listed. */
export const identityFields: Readonly<Record<Exclude<IdentityKey, 'logo'>, IdentityField>> = {
  name: define(
    'name',
    'Shown in the header. At most 100 characters.',
    'a name of at most 100 characters on one line',
    line(100),
  ),
  accent: define(
    'accent',
    'The colour of links, headings and charts, such as #0057b8.',
    'a colour such as #0057b8',
    colour,
  ),
  contact: define(
    'contact',
    'Shown at the bottom of every page. An email address or a web address.',
    'an email address or an http or https address',
    contact,
  ),
  imprint: define(
    'imprint',
    'Linked at the bottom of every page. An address with http or https.',
    urlText,
    httpUrl,
  ),
  privacy: define(
    'privacy',
    'Linked at the bottom of every page. An address with http or https.',
    urlText,
    httpUrl,
  ),
  terms: define(
    'terms',
    'Linked at the bottom of every page. An address with http or https.',
    urlText,
    httpUrl,
  ),
  footer: define(
    'footer',
    'Shown at the bottom of every page. At most 300 characters.',
    'a text of at most 300 characters on one line',
    line(300),
  ),
  about: define(
    'about',
    'Shown on the page /about. Plain text of at most 4,000 characters.',
    'a plain text of at most 4,000 characters',
    paragraphs,
  ),
  attribution: define(
    'attribution',
    'The sentence that Free accounts show with the data. At most 200 characters.',
    'a sentence of at most 200 characters on one line',
    line(200),
  ),
  license: define(
    'license',
    'The licence of the data, for the OpenAPI document: an SPDX identifier such as CC-BY-4.0, or an address.',
    'an SPDX identifier such as CC-BY-4.0, or an http or https address',
    (text) => (/^[A-Za-z0-9][A-Za-z0-9.+-]{0,99}$/.test(text.trim()) ? text.trim() : httpUrl(text)),
  ),
  indexing: define('indexing', 'Whether search engines may list the pages: on or off.', 'on or off', onOrOff),
  homeCity: define(
    'home-city',
    'The city that the home page shows first: berlin for /cities/berlin.',
    'the slug of a city, as in its address: /cities/berlin',
    (text) => {
      const slug = text.trim().toLowerCase();
      return /^[a-z0-9][a-z0-9-]{0,199}$/.test(slug) ? slug : null;
    },
  ),
  media: define(
    'media',
    'Whether pages show pictures from the addresses in the catalogue: on or off. Without them, covers are drawn.',
    'on or off',
    onOrOff,
  ),
  mapTiles: define(
    'map-tiles',
    'A tile server for maps: https://tile.example.org/{z}/{x}/{y}.png. Browsers of visitors request it. Without it, the service draws the maps.',
    'an https address with {z}, {x} and {y}, such as https://tile.example.org/{z}/{x}/{y}.png',
    tileTemplate,
  ),
  mapAttribution: define(
    'map-attribution',
    'The credit below maps of the tile server. At most 200 characters.',
    'a text of at most 200 characters on one line',
    line(200),
  ),
};

/** All keys, in the order in which they are listed. */
export const identityKeys: readonly IdentityKey[] = [
  'name',
  'logo',
  ...(Object.keys(identityFields) as Exclude<IdentityKey, 'logo'>[]).filter((key) => key !== 'name'),
];

/** The name of a key for people: `home-city`. */
export const identityName = (key: IdentityKey): string =>
  key === 'logo' ? 'logo' : identityFields[key].name;

/** Finds a key by its name, with or without the prefix of the data file. */
export const findIdentityKey = (name: string): IdentityKey | undefined =>
  identityKeys.find((key) => identityName(key) === name.replace(/^site\./, ''));
