/** States and provinces after a city name, in countries where this is usual: "Portland, OR", "Toronto, Ontario". */
import { getOrCreate } from '../../memoize.ts';
import { normalizeForSearch } from '../../text/fold.ts';

const table: Record<string, string> = {
  US: `al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|dc district of columbia|
    fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|
    md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada|
    nh new hampshire|nj new jersey|nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|
    pa pennsylvania|pr puerto rico|ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|
    va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming`,
  CA: `ab alberta|bc british columbia|mb manitoba|nb new brunswick|nl newfoundland|ns nova scotia|on ontario|
    pe prince edward island|qc quebec|sk saskatchewan`,
  AU: `nsw new south wales|vic victoria|qld queensland|wa western australia|sa south australia|tas tasmania|
    act australian capital territory|nt northern territory`,
};

/** A state or province; `names` are its code and name as returned by `normalizeForSearch`. */
type StateOrProvince = { country: string; names: readonly string[] };

/** States and provinces by code or name, the most populous country first. Made at the first use. */
let statesByName: ReadonlyMap<string, StateOrProvince[]> | null = null;

function readTable(): ReadonlyMap<string, StateOrProvince[]> {
  const byName = new Map<string, StateOrProvince[]>();
  for (const [country, states] of Object.entries(table)) {
    for (const state of states.split('|')) {
      const [code = '', ...name] = state.trim().split(/\s+/u);
      const names = [code, name.join(' ')];
      for (const text of names) getOrCreate(byName, text, () => []).push({ country, names });
    }
  }
  return byName;
}

/** The words after a city name, and the states or provinces with that name. */
export type StateSuffix = { words: string; states: readonly StateOrProvince[] };
const maxStateWords = 4;

/** Returns the ways to read the end of a text as the region of the city before it, longest first. */
export function splitStateSuffix(text: string): { name: string; region: StateSuffix }[] {
  const words = text.split(/[\s,()]+/u).filter(Boolean);
  statesByName ??= readTable();
  const states = statesByName;
  return Array.from({ length: Math.min(maxStateWords, words.length - 1) }, (_, at) => {
    const behind = normalizeForSearch(words.slice(-(at + 1)).join(' '));
    return {
      name: words.slice(0, -(at + 1)).join(' '),
      region: { words: behind, states: states.get(behind) ?? [] },
    };
  }).reverse();
}

/** Whether a city is in the region. If the city's region is unknown, any state of its country matches. */
export function isInState(
  city: { country: string | null; region: string | null } | null,
  { words, states }: StateSuffix,
): boolean {
  if (city === null) return false;
  const own = city.region === null ? null : normalizeForSearch(city.region);
  if (own === words) return true;
  return states.some(
    ({ country, names }) => country === city.country && (own === null || names.includes(own)),
  );
}
