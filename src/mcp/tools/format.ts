/** Formats records for the MCP tools: as members of the structured output, and as lines of its text. */
import type { Candidate } from '../../catalogue/linking/candidates.ts';
import type { EntityLink } from '../../catalogue/linking/entity-linking.ts';
import { roomAfterVenue } from '../../catalogue/linking/name-forms.ts';
import { attribution } from '../../contract/openapi.ts';
import type { ToolInterpretedName, ToolMatch } from '../../contract/tools.ts';
import { withBaseUrl } from '../../store/records/serialize.ts';
import { lineSegment, oneLine } from '../sanitize-text.ts';
import type { ToolContext } from '../tool.ts';

/** Returns a candidate as a match of the output. */
export const toToolMatch = ({ slug, name, country, score }: Candidate): ToolMatch => ({
  slug,
  name,
  country,
  score,
});

/** Returns `match` and `other_matches` of a name; null and none without a name. */
export const toToolChoice = (choice: EntityLink | undefined) => ({
  match: choice?.match ? toToolMatch(choice.match) : null,
  other_matches: (choice?.alternatives ?? []).map(toToolMatch),
});

/** Returns how a name in the question was read, with the text as it was written. */
export const toToolInterpretedName = (choice: EntityLink): ToolInterpretedName => ({
  kind: choice.kind,
  text: choice.text,
  ...toToolChoice(choice),
});

/** Joins the parts of a place on one line; null if all are unknown. */
export const locationOf = (parts: readonly (string | null)[]): string | null =>
  parts.filter(Boolean).join(', ') || null;

/** Joins names, the first of them in full: "Ben Klock, DVS1 and 3 more". */
export function joinSome(names: readonly string[], max: number): string {
  const rest = names.length - max;
  return rest > 0 ? `${names.slice(0, max).join(', ')} and ${rest} more` : names.join(', ');
}

/** Returns the region of a city, which distinguishes it from cities with the same name and country. */
type RegionOf = (city: Candidate) => string | null;

const candidateText = ({ name, city, country, slug }: Candidate, region: string | null = null): string => {
  const place = locationOf([city, region, country]);
  return lineSegment(`${name}${place === null ? '' : ` (${place})`} [${slug}]`);
};

/** A lower score means a partial or similar name. */
const minNamesakeScore = 0.9;
const maxCities = 10;

/**
 * Returns lines about the record that was chosen for a name, and the other matches; none if the name is exactly that of
 * one record. For an exact name, only records with the same name are listed.
 */
export function matchLines(choice: EntityLink, regionOf: RegionOf = () => null): string[] {
  const { kind, text, match, alternatives: others, listedMatches: several, region } = choice;
  const candidates = [...(match ? [match] : []), ...others];
  const isAmbiguous = ({ id, name, country }: Candidate) =>
    candidates.some((one) => one.id !== id && one.name === name && one.country === country);
  const textOf = (one: Candidate) => candidateText(one, isAmbiguous(one) ? regionOf(one) : null);
  const listText = (all: readonly Candidate[]): string => all.map(textOf).join('; ');
  if (region !== null) {
    const cities = joinSome(
      region.cities.map(({ name, slug }) => `${name} [${slug}]`),
      maxCities,
    );
    if (region.name === match?.name)
      return [
        `"${text}" is read as the city and the region ${region.name}. Nearby cities included: ${cities}.`,
      ];
    return [`"${text}" is read as the region ${region.name}; cities on record there: ${cities}.`];
  }
  if (match === null && several.length > 0) {
    const names = several.map(({ name }) => `"${name}"`).join(', then ');
    return [`"${text}" names several: one ${kind} per call. Call with ${kind} ${names}.`];
  }
  if (match === null) {
    if (others.length === 0) return [`No ${kind} on record matches "${text}".`];
    if (kind === 'artist')
      return [
        `No artist on record is named "${text}"; nearest: ${listText(others)}. Pass a slug to choose one.`,
      ];
    return [`"${text}" matches no ${kind} in that place, but elsewhere: ${listText(others)}.`];
  }
  const rest =
    match.score < minNamesakeScore ? others : others.filter(({ score }) => score >= minNamesakeScore);
  const choiceLine = `${capitalize(kind)}: "${text}" is read as ${textOf(match)}, score ${match.score}.`;
  const room = kind === 'venue' && match.score < 1 ? roomAfterVenue(text) : null;
  return [
    ...(match.score < 1 || rest.length > 0 ? [choiceLine] : []),
    ...(choice.richer === null
      ? []
      : [`Did you mean ${textOf(choice.richer)}? ${textOf(match)} is a bare name without details.`]),
    ...(room === null ? [] : [`Rooms of a venue are not distinguished: "${room}" was left out.`]),
    ...(rest.length > 0
      ? [`Other matches for "${text}": ${listText(rest)}. Pass a slug to choose one.`]
      : []),
  ];
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the text of an answer; on the Free plan it ends with the attribution. */
export function finishText(lines: readonly string[], context: ToolContext): string {
  const all = [...lines, ...(context.plan === 'free' ? ['', attribution(context)] : [])];
  return all.map(oneLine).join('\n');
}

/** Returns a record with the base URL in place of its placeholder. */
export const withOwnUrls = <T>(record: T, baseUrl: string): T =>
  JSON.parse(withBaseUrl(JSON.stringify(record), baseUrl)) as T;
