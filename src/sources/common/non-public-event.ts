/** Recognizes calendar entries that announce no public event, such as "CLOSED". */
import { fold } from '../../text/fold.ts';
import type { AdapterContext, FeedRecord } from '../adapter.ts';

const closedWords =
  'closed|geschlossen|ferme|fermee|chiuso|cerrado|fechado|encerrado|gesloten|lukket|stengt|stangt|suljettu|zamkniete|zavreno|zarva';
const privateEvent = 'private (?:event|events|function|party|hire|booking|rental)';
const holidayWords =
  'christmas|xmas|easter|new years?(?: eve| day)?|(?:winter|summer)(?: break| holidays?)?|holidays?|vacation|season';
const maintenanceWords = 'renovations?|refurbishment|maintenance|repairs|cleaning|inventory|staff party';
const reason = `(?:for|due to|because of|wegen) (?:an? |the |our )?(?:${privateEvent}|privatveranstaltung|geschlossener gesellschaft|${holidayWords}|${maintenanceWords})`;
const venuePhrase = '(?:the |our )?(?:club|venue|bar|house) (?:is )?|we are |we re |wir haben ';
const whenPhrase = ' today| tonight| all day| heute';

/**
 * Each pattern matches a whole title, folded and without punctuation. A name that only contains such words is a name.
 */
const noticePatterns = [
  `(?:${venuePhrase})?(?:${closedWords})(?:${whenPhrase})?(?: ${reason})?`,
  `(?:venue |club )?(?:${closedWords} )?${privateEvent}`,
  'private veranstaltung|privatveranstaltung|geschlossene (?:gesellschaft|veranstaltung)',
  'evenement prive|soiree privee|evento privado|evento privato|besloten (?:feest|evenement|avond)|lukket selskab|privat arrangement',
  `no (?:shows?|events?|concerts?)(?:${whenPhrase})?|keine (?:veranstaltung|veranstaltungen|show)(?: heute)?`,
].map((text) => new RegExp(`^(?:${text})$`));

const isNotice = (text: string): boolean => noticePatterns.some((notice) => notice.test(text));
const stripPunctuation = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Whether a title says that there is no public event: "CLOSED", "geschlossen", "Private event". */
function isNonPublicTitle(title: string): boolean {
  if (title.length > 200) return false;
  const text = fold(title);
  if (isNotice(stripPunctuation(text))) return true;
  // Two languages: "Geschlossen / Closed".
  const parts = text.split(/[/|,–—-]/).map(stripPunctuation);
  return parts.length > 1 && parts.every(isNotice);
}

/**
 * Skips an event that is not public. An event with a line-up is always public.
 * @returns whether it was skipped
 */
export function skipIfNonPublic(
  context: AdapterContext,
  records: readonly FeedRecord[],
  where: string,
): boolean {
  const event = records.find((record) => record.kind === 'event');
  if (event === undefined || (event.lineup ?? []).length > 0 || !isNonPublicTitle(event.name)) return false;
  context.skip?.(where, `"${event.name}" on ${event.start_at.slice(0, 10)} is not a public event`);
  return true;
}
