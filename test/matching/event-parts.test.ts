/**
 * Which part of an occasion a seller lists, and what titles have in common that are mostly general words (docs/spec/imports.md#evidence: a
 * festival's day, its after-party and a ticket for several days are different things).
 */
import { type Habit, testHabits } from '../support/habits.ts';

const lido = ['Lido', 'Berlin', 'DE'] as const;
const field = ['Flugfeld', 'Berlin', 'DE'] as const;
const feldklang = 'Feldklang Festival';

const cases: readonly Habit[] = [
  [
    'a name, a house and a date, one without a clock',
    true,
    { t: 'Tikka: Nadir (DE) live', at: ['Lido, Saal', 'Berlin', 'DE'], h: '23:00' },
    { t: 'Nadir (D)', at: lido },
  ],
  [
    'a name and a house, at hours that contradict each other',
    false,
    { t: 'NADIR - CANDLELIGHT', at: lido, h: '19:00', acts: ['Candlelight'] },
    { t: 'Candlelight: Hommage à Nadir', at: lido, h: '21:30' },
  ],
  [
    'a ticket for all days, and a festival from noon to the next night',
    true,
    { t: 'Feldklang Spring 2026 - Weekend Pass', at: field, h: '12:00', of: feldklang },
    { t: 'Feldklang Spring 2026', at: field, h: '12:00', until: [1, '23:00'], of: feldklang },
  ],
  [
    'a ticket for all days, and a festival by its name alone',
    true,
    { t: 'Feldklang 2026 - 3 Day Pass', at: field, h: '12:00', of: feldklang },
    { t: 'Feldklang 2026', at: field, of: feldklang },
  ],
  [
    'a ticket for all days, and the first night by the name of the whole',
    false,
    { t: 'Feldklang Indoor 2026 - Weekend Ticket', at: field, h: '21:00', until: [2, '07:00'] },
    { t: 'Feldklang Indoor', at: field, h: '21:00', until: [1, '06:00'], acts: ['Nadir', 'Lotta Veen'] },
  ],
  [
    'a single day, and a festival that goes on for two',
    false,
    { t: 'Feldklang Festival - Saturday Single Day', at: field, h: '12:00', of: feldklang },
    { t: 'Feldklang Spring 2026', at: field, h: '12:00', until: [1, '23:00'], of: feldklang },
  ],
  [
    'a day ticket, and the whole with those who play that day',
    false,
    { t: 'Feldklang 2026 - 29 December Day Ticket', at: field, h: '14:00', acts: ['Nadir', 'Pim Os'] },
    { t: 'Feldklang', at: field, h: '14:00', until: [3, '02:00'], acts: ['Lotta Veen', 'Nadir', 'Pim Os'] },
  ],
  [
    'a weekend that begins on the evening of a day, and the day',
    false,
    { t: 'Feldklang Indoor 2026 (Weekend)', at: field, h: '21:00', until: [2, '07:00'] },
    { t: 'Feldklang Indoor 2026 - Friday', at: field, h: '21:00' },
  ],
  [
    'a ticket for days in a language of its own, and a day',
    false,
    { t: 'Feldklang: abonament 2 zile', at: field, h: '18:00' },
    { t: 'Feldklang, ziua 1: Nadir, Pim Os', at: field, h: '18:00', acts: ['Nadir', 'Pim Os'] },
  ],
  [
    'a day by its number, and by its weekday',
    true,
    { t: 'Feldklang Day 1 – Flugfeld (Nadir, Pim Os)', at: field, h: '19:00', acts: ['Nadir', 'Pim Os'] },
    { t: 'Feldklang 2026: sreda', at: field, h: '19:00' },
  ],
  [
    'one package with the ticket',
    true,
    { t: 'Nadir - Ticket + Early Entry Package', at: lido, h: '19:00', acts: ['Nadir'] },
    { t: 'Nadir @ Lido', at: lido, h: '19:00', acts: ['Nadir'] },
  ],
  [
    'one after-party by two names',
    true,
    { t: 'Berlin Rave Indoor - Official Afterparty', at: lido, h: '07:00' },
    { t: 'Berlin Rave · official after', at: lido, h: '07:00', acts: ['Nadir', 'Lotta Veen'] },
  ],
  [
    'after-parties of two festivals',
    false,
    { t: 'Feldklang Afterparty', at: lido, h: '23:00' },
    { t: 'Nachtflug Aftershowparty', at: lido, h: '23:00' },
  ],
  [
    'an after-party of what the other does not know',
    true,
    { t: 'Feldklang Afters: Nadir & Friends (16+)', at: lido, h: '23:30', acts: ['Nadir'] },
    { t: 'Nadir at Lido', at: lido, acts: ['Nadir'] },
  ],
  [
    'a show, and its own after-party with a support act',
    false,
    { t: 'Nadir Afterparty w/ Lotta Veen', at: lido, h: '23:30', acts: ['Lotta Veen'] },
    { t: 'Nadir', at: lido, acts: ['Nadir', 'Lotta Veen'] },
  ],
  [
    'early and late in brackets',
    false,
    { t: 'Nadir (early)', at: lido, h: '18:30', acts: ['Nadir'] },
    { t: 'Nadir (late)', at: lido, acts: ['Nadir'] },
  ],
  [
    'what a season opens with, and what it closes with',
    false,
    { t: 'Werkschau Opening', at: lido, h: '23:00' },
    { t: 'Werkschau Closing Party', at: lido, h: '23:00' },
  ],
  [
    'a series of general words, with the night of the house',
    true,
    { t: 'The Late Show - Lido Saturdays', at: lido, h: '23:00' },
    { t: 'The Late Show: Nadir, Lotta Veen, Rambl', at: lido, h: '23:00', acts: ['Nadir', 'Lotta Veen'] },
  ],
  [
    'a name of general words that stands in a longer title',
    true,
    { t: 'HOUSE OF PAIN? NO! HOUSE OF BERLIN', at: lido, h: '23:59' },
    { t: 'House Of Berlin mit Lotta Veen und Pim Os', at: lido },
  ],
  [
    'what any show may be called',
    false,
    { t: 'Live in Berlin: Nadir', at: lido, h: '20:00' },
    { t: 'Sungaze live in Berlin', at: lido, h: '20:00' },
  ],
  [
    'the night of a label, in a room',
    true,
    { t: 'Turmzimmer: Dorfklang Records Nacht', at: ['Lido, Turmzimmer', 'Berlin', 'DE'], h: '23:00' },
    { t: 'Dorfklang Nacht: Nadir, Pim Os', at: ['Turmzimmer (Lido)', 'Berlin', 'DE'] },
  ],
  [
    'nights of two labels',
    false,
    { t: 'Turmzimmer: Dorfklang Records Nacht', at: lido, h: '23:00' },
    { t: 'Stadtklang Nacht: Nadir, Pim Os', at: lido },
  ],
  [
    'general words that the other begins with',
    true,
    { t: 'Indie Night', at: lido, h: '22:00' },
    { t: 'Indie Night mit Lotta Veen', at: lido, h: '22:00' },
  ],
  [
    'general words with a weekday among them, and who plays',
    true,
    { t: 'Techno Tuesday', at: lido, h: '22:00' },
    { t: 'Techno Tuesday: Nadir', at: lido, h: '22:00', acts: ['Nadir'] },
  ],
  [
    'general words with other names behind them',
    false,
    { t: 'Comedy Night: Lotta Veen', at: lido, h: '20:00' },
    { t: 'Comedy Night: Pim Os', at: lido, h: '20:00' },
  ],
  [
    'two words, and one',
    true,
    { t: 'Klang.Werkstatt', at: lido, h: '23:00' },
    { t: 'Klangwerkstatt w/ Nadir', at: lido, h: '23:00', acts: ['Nadir'] },
  ],
  [
    'a party in another language',
    true,
    { t: 'Вечеринка Werkschau', at: lido, h: '23:00' },
    { t: 'Werkschau Night', at: lido },
  ],
  [
    'a kind of music in short',
    true,
    { t: 'Drum & Bass Night', at: lido, h: '22:00' },
    { t: 'DnB Night', at: lido, h: '22:00' },
  ],
  [
    'a date in front of a title',
    true,
    { t: 'Sat 05.12: Werkschau w. Nadir', at: lido, h: '23:00' },
    { t: 'Werkschau', at: lido },
  ],
  [
    'the birthday of a house',
    true,
    { t: 'Lido 10th Anniversary', at: lido, h: '22:00' },
    { t: '10 Jahre Lido: Nadir', at: lido, h: '22:00', acts: ['Nadir'] },
  ],
  [
    'a floor, and the house with a guest who plays on both',
    false,
    {
      t: 'Werkschau: Nadir & Pim Os',
      at: lido,
      h: '23:00',
      acts: ['Nadir', 'Pim Os', 'Lotta Veen'],
    },
    {
      t: 'Lotta Veen [Keller]',
      at: ['Lido (Keller)', 'Berlin', 'DE'],
      h: '23:00',
      acts: ['Lotta Veen', 'Orrin Dahl'],
    },
  ],
  [
    'two names that one title sets off from each other, and the other does not',
    true,
    { t: 'BOXING NIGHT Zwirn at Lido - two floors', at: lido, h: '21:00' },
    { t: 'Zwirn: Boxing Night with Lotta Veen & Pim Os', at: lido, h: '21:00' },
  ],
  [
    'a pair of words by its letters',
    true,
    { t: 'K&R 26/27 - Locals', at: field, h: '14:00' },
    { t: 'Klang and Rausch 2026', at: field, h: '14:00' },
  ],
  [
    'two halls of one ground, and one title',
    true,
    { t: 'Zwirn NYE', at: ['Kran Warehouse', 'Amsterdam', 'NL'], h: '22:00', acts: ['Nadir'] },
    { t: 'Zwirn NYE 2026', at: ['Kran-Werf', 'Amsterdam', 'NL'], h: '22:00' },
  ],
  [
    'two halls of one ground, and a general title',
    false,
    { t: 'Silent Disco', at: ['Kran Warehouse', 'Amsterdam', 'NL'], h: '22:00' },
    { t: 'Silent Disco', at: ['Kran-Werf', 'Amsterdam', 'NL'], h: '22:00' },
  ],
  [
    'a house with the word for a club in its language',
    true,
    { t: 'SALE ⇄ KABLYS', at: ['Klubi SALE', 'Tallinn', 'EE'], h: '23:00' },
    { t: 'SALE x Kablys exchange: Nadir', at: ['SALE', 'Tallinn', 'EE'], h: '23:00', acts: ['Nadir'] },
  ],
  [
    'a house in a district that its address tells of',
    true,
    { t: 'Mister Sunday (MLK Weekend)', at: ['Nachtwerk', 'Ridgewood'], h: '15:00' },
    {
      t: 'Mister Sunday: Nadir & Pim Os',
      at: ['Nachtwerk', 'New York', 'US'],
      h: '15:00',
      acts: ['Nadir', 'Pim Os'],
      street: '56-06 Cooper Ave, Ridgewood, NY 11385',
    },
  ],
];

const seen = ['Berlin,DE', 'Amsterdam,NL', 'Tallinn,EE', 'New York,US'].map((line) => {
  const [name = '', country = ''] = line.split(',');
  return { kind: 'city', external_id: name, name, country, timezone: 'UTC' };
});

testHabits('parts of an occasion', cases, seen);
