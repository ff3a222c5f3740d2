/** States and provinces that people write behind a city, where that is the custom: "Portland, OR", "Toronto, Ontario". */
import { searchWords } from '../store/fold.ts';

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

const countries = new Map<string, string[]>();
for (const [country, regions] of Object.entries(table)) {
  for (const region of regions.split('|')) {
    const [code = '', ...name] = region.trim().split(/\s+/u);
    for (const text of [code, name.join(' ')]) countries.set(text, [...(countries.get(text) ?? []), country]);
  }
}

/** The countries that have a state or province of that code or name, the most populous first. */
export const regionCountries = (text: string): readonly string[] => countries.get(searchWords(text)) ?? [];
