/** Extracts the number of an episode from its title, and its artists where they are evident. */
import { escapeRegExp } from '../../text/patterns.ts';

type EpisodeTitleContext = {
  /** Name of the podcast. */
  podcast: string;
  /** Artists are extracted for music shows only. */
  isMusicShow: boolean;
};
type EpisodeTitle = { number: number | null; artists: string[] };

/** Words of episode titles that occur in no artist name. */
const nonNameWord =
  /\b(?:best of|top \d+|part \d+|pt\.? ?\d+|vol\.? ?\d+|special|edition|episode|podcast|year|anniversary|interview|review|preview|recap|trailer|teaser|announcement|how|why|what|when|who|where|the one|story|history|season|chapter|christmas|xmas|halloween|summer|winter|spring|autumn|hour|hours|mixtape|compilation|radio ?show|dj ?mix|live ?set|guest ?mix|january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{1,2}[./]\d{1,2}[./]\d{2,4}|20[0-4]\d|is|are|was|were|our|your|about|from)\b|[?!:]$|^\d+$/i;
const seriesWord =
  /^(?:(?:the|radio|label|guest|club|studio|live|official|exclusive|weekly|monthly|dj|resident)\s+)*(?:podcasts?|pod|pcast|mix(?:es|tape|cast)?|episodes?|ep|epis[oó]dio|folge|show|radioshow|radio|sessions?|series|cast|set|sets|nr|no|vol(?:ume)?|guest ?mix|dj ?(?:mix|set)|transmission|broadcast)\.?$/i;
const trailingNote =
  /\s*[[(](?:live|dj set|live set|dj mix|mix|guest mix|studio mix|vinyl(?: only)?(?: set)?|all vinyl|exclusive|hybrid|free download|tracklist|part \d+|\d{4})[^\])]*[\])]\s*$/i;
const trailingPlace =
  /\s+(?:live\s+)?(?:@|at|live from|recorded (?:at|live)|in the mix|live in|live)(?:\s.*)?$/i;
const numberPattern =
  /(?:^|[^\p{L}\p{N}])(?:#|n[°ºo]\.?\s?|nr\.?\s?|episodes?\s|ep\.?\s?|folge\s|show\s|podcast\s|mix\s|vol(?:ume)?\.?\s|session\s)\s?#?(\d{1,5})(?![\p{L}\p{N}]|[./:-]\d)/iu;

/** Max length of the title and of the podcast name. */
const maxTitleLength = 500;

/**
 * Parses the number and the artists in the first 500 characters of a title: "Dekmantel Podcast 350 - Job Jobse". Only
 * titles of music shows have artists.
 */
export function parseEpisodeTitle(title: string, context: EpisodeTitleContext): EpisodeTitle {
  const [titleText, podcast] = [title, context.podcast].map((text) => text.slice(0, maxTitleLength)) as [
    string,
    string,
  ];
  const artistPart = context.isMusicShow ? findArtistPart(titleText, podcast) : null;
  return {
    number: findNumber(titleText, podcast),
    artists: artistPart === null ? [] : splitNames(artistPart),
  };
}

/** Returns the names of a series in titles: its name, its name without "Podcast", its initials. */
function seriesNames(podcast: string): string[] {
  const name = podcast.replace(/\s+/g, ' ').trim();
  const short = name.replace(
    /\s+(?:podcasts?|radio ?show|radio|mix(?:es| series)?|sessions?|series|show)$/i,
    '',
  );
  const bare = name.replace(/^(?:the)\s+/i, '');
  const initials = [name, short].map((each) =>
    each
      .split(/\s+/)
      .map((word) => word[0] ?? '')
      .join(''),
  );
  const pieces = name.split(/\s*[:|–—]\s+|\s+-\s+|\s+(?:by|with|presents)\s+/i);
  return [...new Set([name, bare, short, ...pieces, ...initials.filter((each) => each.length > 1)])]
    .filter((call) => call.length > 1)
    .sort((one, other) => other.length - one.length);
}

function findNumber(title: string, podcast: string): number | null {
  const named = numberPattern.exec(title)?.[1];
  if (named) return Number(named);
  for (const name of seriesNames(podcast)) {
    const pattern = new RegExp(
      `(?:^|[^\\p{L}\\p{N}])${escapeRegExp(name)}(?:\\s+(?:podcast|mix|episode|show|radio))?[\\s.#:_|–-]*0*(\\d{1,4})(?![\\p{L}\\p{N}]|[./:-]\\d)`,
      'iu',
    );
    const number = pattern.exec(title)?.[1];
    if (number && !/^(?:19|20)\d\d$/.test(number)) return Number(number);
  }
  const coded = seriesCode.exec(title)?.[1];
  if (coded) return Number(coded);
  const leading = /^#?0*(\d{1,4})\s*(?:[-–—|:.]\s+|\s-\s)/.exec(title)?.[1];
  return leading && !/^(?:19|20)\d\d$/.test(leading) ? Number(leading) : null;
}

/** "DCR590 - ", "EX.500 ": the letters and number by which a series counts. */
const seriesCode = /^[A-Z]{2,6}[.#]?(\d{3,4})(?:\s*[-–—|:]\s*|\s+)(?=\S)/;
const guestMixBy =
  /^(?:.*[-–—|:]\s*)?(?:guest ?mix|exclusive mix|special guest|mixed)\s*(?:by|from|:|-|–)\s*(.+)$/i;
const introduction =
  /^(?:[-–—|:•,]|(?:by|with|w\/|feat\.?|ft\.?|presents:?|mixed by|guest ?mix(?: by)?:?)(?=\s))\s*/i;
const leadingCount = /^#?(?!(?:19|20)\d\d\b)\d{2,4}\s*(?:[-–—|:•.]\s*|\s)(?=\p{L})(.+)$/u;

type TitlePatterns = { podcast: string; lead: RegExp; before: RegExp; after: RegExp; named: RegExp };
let cachedPatterns: TitlePatterns | null = null;

/** Returns the title patterns of a podcast. The last podcast is cached, because episodes arrive in sequence. */
function titlePatterns(podcast: string): TitlePatterns {
  if (cachedPatterns?.podcast === podcast) return cachedPatterns;
  const calls = seriesNames(podcast).map(escapeRegExp).join('|');
  const kinds = 'podcast|radio|mix|show|episode|session';
  const any = 'podcast|mix|mixtape|episode|ep|show|session|folge|guest ?mix';
  const series = `(?:(?:${calls})(?:\\s+(?:${kinds}))?|(?:the\\s+)?\\p{L}{0,20}\\s?(?:${any}))`;
  const count = '[\\s.#:_|–-]*(?:(?:episode|ep|no|nr|vol|mix)\\.?\\s*)?#?\\d{1,5}';
  const words = 'by|with|w/|feat\\.?|ft\\.?|presents|mixed by';
  cachedPatterns = {
    podcast,
    lead: new RegExp(`^(?:${calls})\\s*[-–—|:•]\\s*(?=.*\\p{L})`, 'iu'),
    before: new RegExp(`^${series}${count}\\s*(?:[-–—|:,•]|\\b(?:${words})(?=\\s)|\\s)\\s*(.+)$`, 'iu'),
    after: new RegExp(`^(.+?)\\s*(?:[-–—|:•,]|\\bfor\\b)\\s*${series}${count}\\s*$`, 'iu'),
    named: new RegExp(`^(?:${calls})\\s*\\b(?:with|w/)(?=\\s)\\s*(.+)$`, 'iu'),
  };
  return cachedPatterns;
}

/** Returns the part of a title that is only a name, where the rest is the series and its number. */
function findArtistPart(title: string, podcast: string): string | null {
  const { lead, before, after, named } = titlePatterns(podcast);
  const whole = title.replace(/\s+/g, ' ').replace(trailingNote, '').trim();
  // Removes series and code of "Series - CODE123 - Name" and "CODE123 - Series - Name".
  const text = whole.replace(lead, '').replace(seriesCode, '').replace(lead, '');
  const name =
    guestMixBy.exec(text)?.[1] ??
    before.exec(text)?.[1]?.replace(introduction, '') ??
    after.exec(text)?.[1] ??
    leadingCount.exec(text)?.[1] ??
    named.exec(text)?.[1];
  return name ?? (text === whole ? null : text);
}

const actSeparator =
  /\s+(?:b2b|b3b|back to back(?: with)?|vs\.?|versus|w\/|with|feat\.?|ft\.?|featuring)\s+|\s*[;+]\s*|\s+(?:x|×)\s+/i;

/** Splits a part into names; no names if it contains anything else. */
function splitNames(text: string): string[] {
  const name = text
    .replace(trailingNote, '')
    .replace(trailingNote, '')
    .replace(trailingPlace, '')
    .replace(/^["'“‘]|["'”’]$/g, '')
    .trim();
  const pieces = name
    .split(actSeparator)
    .flatMap((piece) => (/,/.test(piece) ? piece.split(/\s*,\s*(?:&\s+|and\s+)?|\s+&\s+/) : [piece]));
  const names = pieces.map((piece) => piece.replace(trailingNote, '').trim()).filter((piece) => piece !== '');
  return names.length <= 12 && names.every(isArtistName) ? [...new Set(names)] : [];
}

const isArtistName = (text: string): boolean =>
  text.length <= 50 &&
  text.split(' ').length <= 5 &&
  /\p{L}/u.test(text) &&
  !nonNameWord.test(text) &&
  !seriesWord.test(text) &&
  !/\s[-–—|:]\s|[:|#@]|^[([]/.test(text) &&
  // Names are capitalized; the words of a sentence are not.
  text.split(' ').filter((word) => /^\p{Ll}{4,}/u.test(word)).length <= (text === text.toLowerCase() ? 2 : 0);
