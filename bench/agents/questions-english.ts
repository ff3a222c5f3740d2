/** English questions. */
import { are, asking, atVenue, first, info, last, ofArtist, search } from './checks.ts';

const ask = asking('en');

export const english = [
  ask("What's on in Berlin tonight?", [search({ city: 'Berlin', from: 'tonight' })], are('Kohle 20'), [
    /Kohle 20/,
    /23:00/,
    /Kohlenhalle/,
  ]),
  ask(
    'Are there still tickets for Kohle 20, and how much are they?',
    [search({ query: 'Kohle 20 tickets' })],
    first('Kohle 20', ({ tickets: [one] }) => one.price_min === 18 && one.availability === 'limited'),
    [/18/, /25 EUR/, /limited/, /https:\/\/eintritt24\.example/],
  ),
  ask(
    'How old do you have to be for Kohle 20?',
    [search({ query: 'Kohle 20' })],
    first('Kohle 20', ({ minimum_age }) => minimum_age === 21),
    [/(from age|minimum age|aged?) 21/i],
  ),
  ask(
    'Until when does Kohle 20 go, and who plays?',
    [search({ query: 'Kohle 20' })],
    first('Kohle 20', ({ end_at, lineup }) => end_at.includes('08:00') && lineup.length === 7),
    [/until .*08:00/i, /Rio Salas/, /Aspera/],
  ),
  ask(
    'Where exactly is Kohlenhalle, and do they have a website?',
    [atVenue({ venue: 'Kohlenhalle' })],
    last(({ venue }) => venue.location.address === 'Revaler Straße 12' && venue.website !== null),
    [/Revaler Straße 12/, /10245/, /https:\/\/kohlenhalle\.example\//],
  ),
  ask(
    'How big is Loods Zes in Amsterdam?',
    [atVenue({ venue: 'Loods Zes', city: 'Amsterdam' })],
    last(({ venue }) => venue.capacity === 700),
    [/700/],
  ),
  ask(
    'Who plays at Nordlicht Festival next year, on which stages?',
    [search({ festival: 'Nordlicht Festival', from: 'next year' })],
    last(
      ({ festivals: [one] }) =>
        one.edition === '2027' && one.lineup.some((act: { stage: string }) => act.stage === 'Speicher'),
    ),
    [/2027-07-09/, /Hafen: .*Mira Voss/, /Speicher: .*Jules Marchetti/],
  ),
  ask(
    'What time is Mira Voss on at Nordlicht?',
    [search({ festival: 'Nordlicht', artist: 'Mira Voss' })],
    last(
      ({ festivals: [one] }) =>
        one.lineup.length === 1 && one.lineup[0].set_start_at.startsWith('2027-07-10T22:00'),
    ),
    [/Mira Voss.*22:00/],
  ),
  ask(
    'What labels does Mira Voss release on, and what was in her latest mix?',
    [info('Mira Voss')],
    last(
      ({ labels, mixes }) =>
        labels[0].name === 'Kaltraum Records' && mixes[0].tracks[1].title === 'Low Water',
    ),
    [/Kaltraum Records/, /Autumn Mix/, /Tomas Brandt.*Low Water/],
  ),
  ask(
    'When did Mira Voss last play in Berlin?',
    [search({ artist: 'Mira Voss', city: 'Berlin', to: 'yesterday', include_past: true })],
    first('Kohle 19'),
    [/2026-11-07/, /latest.*Kohle 19/i],
  ),
  ask(
    'How often has Mira Voss played at Kohlenhalle so far?',
    [search({ artist: 'Mira Voss', venue: 'Kohlenhalle', include_past: true, limit: 1, to: 'yesterday' })],
    last(({ past }) => past.count === 3),
    [/\b3 past events/],
  ),
  ask(
    'What kinds of techno are there in this catalogue?',
    [search({ genre: 'techno' })],
    last(
      ({ subgenres }) =>
        subgenres.map(({ name }: { name: string }) => name).join() === 'Dub Techno,Hard Techno',
    ),
    [/Dub Techno/, /Hard Techno/],
  ),
  ask('When is PER ASPERA?', [search({ query: 'PER ASPERA' })], first('PER ASPERA'), [
    /2026-12-03.*PER ASPERA/,
  ]),
  ask('I want to go to House of Milan', [search({ query: 'House of Milan' })], first('House of Milan'), [
    /House of Milan \| Kohlenhalle, Berlin/,
  ]),
  ask(
    'When is Sofia Lindquist playing next?',
    [ofArtist({ artist: 'Sofia Lindquist' }), ofArtist({ artist: 'sofia-lindqvist' })],
    ({ structures: [one, two] }) =>
      one.other_matches.some(({ slug }: { slug: string }) => slug === 'sofia-lindqvist') &&
      two.events.length === 2,
    [/did you mean.*sofia-lindqvist/i, /Samedi Profond|Puente/],
  ),
  ask(
    'Which Kaltraum artists play in December?',
    [search({ label: 'Kaltraum Records', from: 'December' })],
    are('PER ASPERA', 'Elbnacht', 'Zwischen den Jahren', 'Oud en Nieuw Zes'),
    [/Elbnacht/, /Kaltraum Records/],
  ),
];
