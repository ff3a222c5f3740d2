/** Festival editions in answers: the fields for programs, and the lines of text that say the same. */
import type { ChosenEdition } from '../../catalogue/festival-editions.ts';
import type { ToolEdition } from '../../contract/tools.ts';
import type { StageEntry } from '../../store/answers/edition-search.ts';
import { lineSegment } from '../sanitize-text.ts';
import type { ToolContext } from '../tool.ts';
import { datedDay, ticketText, trustedTime } from './event-text.ts';
import { joinSome, locationOf, withOwnUrls } from './format.ts';

/** Line-up entries in the structure of one edition. */
const maxEntries = 100;
/** Acts of one stage in the text. */
const maxActsPerStage = 25;

/** Returns an edition with the sets that were asked for. */
export function toToolEdition(
  { id, artists }: ChosenEdition,
  { baseUrl, catalogue: { reader } }: ToolContext,
): ToolEdition {
  const edition = reader.details.festivals.edition(id);
  const { timezone, venue } = edition;
  const { city, country } = reader.editionSearch.placeOf(id);
  const lineup =
    artists.length === 0
      ? reader.editionSearch.lineup(id, maxEntries)
      : artists.flatMap((artist) => reader.editionSearch.setsOf(id, artist));
  return {
    festival: edition.festival,
    edition: edition.edition,
    name: edition.name,
    start_at: trustedTime(edition.start_at, timezone),
    end_at: trustedTime(edition.end_at, timezone),
    timezone,
    status: edition.status,
    location: locationOf([venue.name, city ?? venue.city, country ?? venue.country]),
    url: withOwnUrls(edition.url, baseUrl),
    lineup_count: edition.lineup_count,
    lineup: lineup.map(toSet),
    tickets: reader.eventExtras.ticketsOf(id),
  };
}

const toSet = ({ slug, name, stage, billing, set_start_at, set_end_at }: StageEntry) => ({
  slug,
  name,
  stage,
  billing,
  set_start_at,
  set_end_at,
});

/** Formats editions as lines: name, days, place and page; then tickets and the line-up by stage. */
export function editionLines(editions: readonly ToolEdition[]): string[] {
  return editions.flatMap((edition) => {
    const { lineup, lineup_count: count } = edition;
    const tickets = ticketText(edition.tickets);
    const isCut = lineup.length === maxEntries && lineup.length < count;
    const cutNote = isCut ? [`  ${lineup.length} of ${count} sets are listed.`] : [];
    return [
      editionLine(edition),
      ...(tickets === null ? [] : [`  Tickets: ${lineSegment(tickets)}.`]),
      ...stageLines(edition),
      ...cutNote,
    ];
  });
}

/** Formats the name, days, place and page of an edition. */
export function editionLine(edition: ToolEdition): string {
  const { status, location, url } = edition;
  const off = status !== null && status !== 'scheduled' ? ` [${status.toUpperCase()}]` : '';
  const parts = [daysText(edition), `${titleOf(edition)}${off}`, location ?? 'place not known', url];
  return `* ${parts.map(lineSegment).join(' | ')}`;
}

const titleOf = ({ name, festival, edition }: ToolEdition): string =>
  name.includes(edition) || name !== festival.name ? name : `${name} ${edition}`;

function daysText({ start_at, end_at }: ToolEdition): string {
  if (start_at === null) return 'dates not known';
  const [first, last] = [start_at.slice(0, 10), end_at?.slice(0, 10) ?? null];
  return last === null || last === first ? datedDay(first) : `${datedDay(first)} to ${datedDay(last)}`;
}

function stageLines({ lineup, timezone }: ToolEdition): string[] {
  const stages = new Map<string, ToolEdition['lineup']>();
  for (const act of lineup) {
    const stage = act.stage ?? 'Line-up';
    stages.set(stage, [...(stages.get(stage) ?? []), act]);
  }
  return [...stages].map(([stage, acts]) => {
    const actTexts = acts.map((act) => `${act.name}${timezone === null ? '' : setText(act)}`);
    return `  ${lineSegment(stage)}: ${lineSegment(joinSome(actTexts, maxActsPerStage))}.`;
  });
}

/** Returns the time of a set: " (Sat 2027-07-10, 22:00–00:00)". */
function setText({ set_start_at: start, set_end_at: end }: ToolEdition['lineup'][number]): string {
  if (start === null) return '';
  const until = end === null ? '' : `–${end.slice(11, 16)}`;
  return ` (${datedDay(start.slice(0, 10))}, ${start.slice(11, 16)}${until})`;
}
