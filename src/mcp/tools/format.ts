/** What the tools show: fields for programs, lines for reading. */
import type { Candidate } from '../../catalogue/linking/candidates.ts';
import type { EntityLink } from '../../catalogue/linking/entity-linking.ts';
import { roomBehind } from '../../catalogue/linking/name-forms.ts';
import { attribution } from '../../contract/openapi.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { ToolEvent, ToolInterpretedName, ToolMatch } from '../../contract/tools.ts';
import { withBaseUrl } from '../../store/records/serialize.ts';
import { lineSegment, oneLine } from '../sanitize-text.ts';
import type { ToolContext } from '../tool.ts';

/** A record that a name may mean, as answers name it. */
export const toToolMatch = ({ slug, name, country, score }: Candidate): ToolMatch => ({
  slug,
  name,
  country,
  score,
});

/** `describe` and `other_matches` of a name; of no name at all, none. */
export const toToolChoice = (choice: EntityLink | undefined) => ({
  match: choice?.match ? toToolMatch(choice.match) : null,
  other_matches: (choice?.alternatives ?? []).map(toToolMatch),
});

export const toToolUnderstood = (choice: EntityLink): ToolInterpretedName => ({
  kind: choice.kind,
  text: choice.text,
  ...toToolChoice(choice),
});

/** Where something is, on one line; null where nothing is known of it. */
export const locationOf = (parts: readonly (string | null)[]): string | null =>
  parts.filter(Boolean).join(', ') || null;

/** An event of a list, with its local date, and its place on one line; where the clock is not trusted, without it. */
export function toToolEvent(item: string, baseUrl: string): ToolEvent {
  const event = JSON.parse(withBaseUrl(item, baseUrl)) as ApiRecord<'EventItem'>;
  const { venue } = event;
  const time = (text: string) => (event.timezone === null ? text.slice(0, 10) : text);
  return {
    ...event,
    start_at: time(event.start_at),
    end_at: event.end_at === null ? null : time(event.end_at),
    date: event.start_at.slice(0, 10),
    location: locationOf([venue.name, venue.city, venue.country]),
  };
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const maxActs = 5;

/** "Ben Klock, DVS1 and 3 more". */
export function joinSome(names: readonly string[], max: number): string {
  const rest = names.length - max;
  return rest > 0 ? `${names.slice(0, max).join(', ')} and ${rest} more` : names.join(', ');
}

/** An event on one line: date, local clock, name, place, who plays, public page. */
export function eventLine(event: ToolEvent): string {
  const day = weekdays[new Date(`${event.date}T00:00:00Z`).getUTCDay()];
  const clock = event.timezone === null ? 'time not known' : event.start_at.slice(11, 16);
  const off = event.status !== null && event.status !== 'scheduled' ? ` [${event.status.toUpperCase()}]` : '';
  const playing = joinSome(
    event.lineup.map(({ name }) => name),
    maxActs,
  );
  const parts = [
    `${day} ${event.date}, ${clock}`,
    `${event.name}${off}`,
    event.location ?? 'place not known',
    ...(playing === '' ? [] : [`with ${playing}`]),
    event.url,
  ];
  return `- ${parts.map(lineSegment).join(' | ')}`;
}

/** What tells a city from its namesakes in the same country. */
type RegionOf = (city: Candidate) => string | null;

const candidateText = ({ name, city, country, slug }: Candidate, region: string | null = null): string => {
  const place = locationOf([city, region, country]);
  return lineSegment(`${name}${place === null ? '' : ` (${place})`} [${slug}]`);
};

/** Below this a record has only a part of the name, or something like it. */
const minNamesakeScore = 0.9;
const maxCities = 10;

/**
 * What a name was read as, and what else it may mean: nothing where it is just the name of one record. Where it is
 * somebody's name, only namesakes are worth mentioning.
 */
export function matchLines(choice: EntityLink, regionOf: RegionOf = () => null): string[] {
  const { kind, text, match, alternatives: others, listedMatches: several, region } = choice;
  const read = [...(match ? [match] : []), ...others];
  const isAmbiguous = ({ id, name, country }: Candidate) =>
    read.some((one) => one.id !== id && one.name === name && one.country === country);
  const shown = (one: Candidate) => candidateText(one, isAmbiguous(one) ? regionOf(one) : null);
  const listed = (all: readonly Candidate[]): string => all.map(shown).join('; ');
  if (region !== null) {
    const cities = joinSome(
      region.cities.map(({ name, slug }) => `${name} [${slug}]`),
      maxCities,
    );
    return [`"${text}" is read as the region ${region.name}; cities on record there: ${cities}.`];
  }
  if (match === null && several.length > 0) {
    const names = several.map(({ name }) => `"${name}"`).join(', then ');
    return [`"${text}" names several: one ${kind} a call. Ask with ${kind} ${names}.`];
  }
  if (match === null) {
    if (others.length === 0) return [`No ${kind} on record matches "${text}".`];
    if (kind === 'artist')
      return [`Nobody called "${text}" is on record; nearest: ${listed(others)}. Pass a slug to choose one.`];
    return [`"${text}" matches no ${kind} in the place asked for, but elsewhere: ${listed(others)}.`];
  }
  const rest =
    match.score < minNamesakeScore ? others : others.filter(({ score }) => score >= minNamesakeScore);
  const chosen = `${capitalize(kind)}: "${text}" is read as ${shown(match)}, score ${match.score}.`;
  const room = kind === 'venue' && match.score < 1 ? roomBehind(text) : null;
  return [
    ...(match.score < 1 || rest.length > 0 ? [chosen] : []),
    ...(room === null ? [] : [`Rooms are not told apart: "${room}" was left out.`]),
    ...(rest.length > 0 ? [`Other matches for "${text}": ${listed(rest)}. Pass a slug to choose one.`] : []),
  ];
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The text of an answer; a Free account's ends with the sentence that names the source. */
export function finishText(lines: readonly string[], { plan, name, baseUrl }: ToolContext): string {
  const all = [...lines, ...(plan === 'free' ? ['', attribution({ name, baseUrl })] : [])];
  return all.map(oneLine).join('\n');
}
