/** Makes inputs that are nearly right: recorded ones with something changed. */
import type { Chance } from './fuzzer.ts';

/** Pieces that parsers trip over: signs of their grammars, edges of numbers and dates, words that readers look for. */
const pieces = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\0',
    '\ufeff',
    '\u200b',
    '\u202e',
    '\u0301',
    'ſ',
    'İ',
    '🎵',
    '\ud800',
    'ß',
    'مرحبا',
    '東京',
  ],
  ...[
    '"',
    "'",
    '\\',
    '<',
    '>',
    '&',
    '&amp;',
    '&#0;',
    '&#x110000;',
    ';',
    ':',
    ',',
    '.',
    '/',
    '//',
    '#',
    '?',
    '@',
    '%',
    '%00',
    '%zz',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '-',
    '–',
    '|',
    '•',
    '*',
    '+',
    '=',
    '$&',
    '$1',
    '__proto__',
    'constructor',
    'null',
    'NaN',
  ],
  ...[
    '0',
    '-0',
    '00',
    '1e309',
    '-1',
    '99999999999999999999',
    '0x10',
    '1.5',
    '2026-02-30',
    '2026-11-20T25:61:00Z',
    '24:00',
  ],
  ...[
    '0001-01-01',
    '9999-12-31T23:59:59+14:00',
    '20:00',
    '23:00-',
    ' - ',
    ' b2b ',
    ' & ',
    ' with ',
    ' @ ',
    ' at ',
    ' in ',
  ],
  ...[
    'Friday ',
    'winter ',
    'tour ',
    'tba ',
    'soon ',
    'and many more',
    'Room 1: ',
    'Support: ',
    'Records',
    'double bass, ',
  ],
  ...[
    '[a=',
    '[url=',
    '[/url]',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '</',
    '<a ',
    '<br>',
    '<script>',
    'charset=',
    '<meta ',
  ],
  ...[
    'BEGIN:VEVENT\n',
    'END:VEVENT\n',
    ';VALUE=DATE',
    'RRULE:FREQ=SECONDLY\n',
    'EXDATE:',
    'DTSTART',
    'TZID=',
    'P1W',
    'PT1S',
  ],
  ...[
    '@type',
    '@graph',
    '@id',
    'itemscope ',
    'MusicEvent',
    'https://',
    'https://example.org/',
    'javascript:',
    'DE',
    '10243 Berlin',
  ],
];

/** A text of one piece over and over: what backtracks, or is read again and again, takes long over it. */
export const pump = (chance: Chance, longest: number): string => {
  const piece = `${chance.of(pieces)}${chance.once(2) ? chance.of(pieces) : ''}`;
  const length = Math.floor(longest / 10 ** chance.below(4));
  const row = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  return `${chance.once(2) ? chance.of(pieces) : 'Ann - '}${row}${chance.once(2) ? 'x!' : chance.of(pieces)}`;
};

/** A text with some pieces cut out, doubled, moved, put in, or with a long row in it. */
export function mutated(text: string, chance: Chance, longest = 0): string {
  let changed = text;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const at = chance.below(changed.length + 1);
    const end = Math.min(changed.length, at + chance.below(chance.once(4) ? 2_000 : 20));
    const [before, cut, behind] = [changed.slice(0, at), changed.slice(at, end), changed.slice(end)];
    const ways = [
      () => before + behind,
      () => before + cut + cut + behind,
      () => before + chance.of(pieces) + behind,
      () => before + chance.of(pieces) + cut + behind,
      () => before + [...cut].reverse().join('') + behind,
      () => before + cut.replace(/\d+/g, () => String(chance.below(10 ** chance.below(9)))) + behind,
      () => before + String.fromCharCode(chance.below(0x300)) + behind,
      () => (chance.once(6) ? before : changed),
    ];
    changed = chance.of(ways)();
  }
  if (longest === 0 || !chance.once(25)) return changed;
  const at = chance.below(changed.length + 1);
  return changed.slice(0, at) + pump(chance, longest) + changed.slice(at);
}

/** What stands in the place of a value. */
function odd(chance: Chance, longest: number): unknown {
  const ways: (() => unknown)[] = [
    () => null,
    () => [],
    () => ({}),
    () => '',
    () => chance.of([0, -1, 1e308, 2 ** 53, 0.1, true, false]),
    () => chance.of(pieces),
    () => [[[[]]]],
    () => ({ ['__proto__']: 1, '@type': 'Event', name: chance.of(pieces) }),
    () => Array.from({ length: 1 + chance.below(200) }, () => chance.of(pieces)),
    () => pump(chance, chance.once(5) ? longest : 2_000),
  ];
  return chance.of(ways)();
}

/** A value of JSON with some of its members changed, doubled, left out or put elsewhere. */
export function mutatedValue(value: unknown, chance: Chance, longest: number): unknown {
  const copy = structuredClone(value);
  for (let left = 1 + chance.below(4); left > 0; left--) {
    let at: unknown = copy;
    for (let depth = 0; depth < 20; depth++) {
      if (typeof at !== 'object' || at === null) break;
      const keys = Object.keys(at);
      if (keys.length === 0) break;
      const holder = at as Record<string, unknown>;
      const key = chance.of(keys);
      const inner = holder[key];
      if (typeof inner === 'object' && inner !== null && !chance.once(5)) {
        at = inner;
        continue;
      }
      change(holder, key, chance, longest);
      break;
    }
  }
  return copy;
}

function change(holder: Record<string, unknown>, key: string, chance: Chance, longest: number): void {
  const value = holder[key];
  const way = chance.below(5);
  if (way === 0) delete holder[key];
  else if (way === 1) holder[chance.of(Object.keys(holder))] = value;
  else if (way <= 3 && typeof value === 'string') holder[key] = mutated(value, chance, longest);
  else holder[key] = odd(chance, longest);
}
