/** Invented names of artists and events. A record's name depends on its index alone. */
import { type Random, randomOf } from './random.ts';

const starts =
  'b br c ch d dj dr f fr g gr h j k kl kr l m n p pr r s sch sh st t th tr v w z y a e i o u'.split(' ');
const middles = 'a e i o u ai au ei ie oo ou ae y ø ü é'.split(' ');
const ends = 'n r l s t k m ck nn tt rt ns lo ra ny xx z d g f th'.split(' ');
const nights =
  'Klubnacht House Techno Opening Closing Warehouse Showcase Birthday Summer Winter Rave Session Open Air Marathon'.split(
    ' ',
  );
const houses = [
  'Club',
  'Warehouse',
  'Hall',
  'Studio',
  'Bunker',
  'Garden',
  'Loft',
  'Basement',
  'Factory',
  'Terrace',
];
const imprints = ['Records', 'Recordings', 'Music', 'Audio', 'Trax', 'Editions'];
const gatherings = ['Festival', 'Open Air', 'Days', 'Weekender', 'Gathering'];

const syllable = (random: Random): string =>
  random.pick(starts) + random.pick(middles) + (random.chance(0.6) ? random.pick(ends) : '');

/** The word of this number: of one to three syllables, with a capital. */
function word(pool: string, index: number): string {
  const random = randomOf(pool, index);
  let text = syllable(random);
  if (random.chance(0.8)) text += syllable(random);
  if (random.chance(0.25)) text += syllable(random);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const given = (random: Random): string => word('given', random.favourite(4_000));
const family = (random: Random): string => word('family', random.favourite(400_000));

export function artistName(index: number): string {
  const random = randomOf('artist name', index);
  const shape = random.next();
  if (shape < 0.3) return family(random);
  if (shape < 0.38) return `DJ ${family(random)}`;
  if (shape < 0.42) return `${given(random)} & ${given(random)}`;
  if (shape < 0.44) return family(random).toUpperCase().replaceAll('A', '4').replaceAll('E', '3');
  if (shape < 0.46) return `The ${family(random)} ${given(random)}`;
  return `${given(random)} ${family(random)}`;
}

export const venueName = (index: number): string => {
  const random = randomOf('venue name', index);
  return random.chance(0.5) ? family(random) : `${family(random)} ${random.pick(houses)}`;
};

export const labelName = (index: number): string => {
  const random = randomOf('label name', index);
  return random.chance(0.3) ? family(random) : `${family(random)} ${random.pick(imprints)}`;
};

export const festivalName = (index: number): string => {
  const random = randomOf('festival name', index);
  return `${family(random)} ${random.pick(gatherings)}`;
};

/** The title of a night with these acts. */
export function eventName(random: Random, acts: readonly string[], venue: string | null): string {
  const [first = 'Residents', ...others] = acts;
  const shape = random.next();
  if (shape < 0.12) return random.pick(nights);
  if (shape < 0.3) return `${random.pick(nights)} with ${first}`;
  if (shape < 0.45) return `${venue ?? random.pick(nights)} presents: ${first}`;
  if (shape < 0.55) return `${random.pick(nights)} ${random.pick(nights)} ${random.whole(1, 40)}`;
  if (others.length === 0) return `${first} All Night Long`;
  return `${[first, ...others.slice(0, 2)].slice(0, -1).join(', ')} & ${others.slice(0, 2).at(-1)}`;
}
