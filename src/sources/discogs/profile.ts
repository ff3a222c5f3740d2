/** Converts profiles of Discogs to plain text. */

/** Removes the number of "X (2)", which Discogs adds to distinguish artists with one name. */
export const stripDisambiguation = (name: string): string => {
  const withoutNumber = name
    .replace(/(?<!\s)\s+\(\d{1,4}\)$/, '')
    .replace(/\*$/, '')
    .trim();
  return withoutNumber === '' ? name.trim() : withoutNumber;
};

/** Placeholder for a reference by number alone, which contains no name. */
const missingReference = '\ufffc';

/**
 * Removes markup. Sentences with a reference by number alone are dropped, because they would have a gap.
 * @returns '' where no text is left
 */
export function profileToText(profile: string): string {
  const text = stripUrlTags(profile.slice(0, 100_000))
    .replace(/\r\n?/g, '\n')
    .replaceAll(missingReference, '')
    .replace(/\[(?:a|l|g)=([^\][]+)\]/gi, (_, name: string) => stripDisambiguation(name.trim()))
    .replace(/\[(?:m|r|u|d)=\s*\d+\s*\]/gi, missingReference)
    .replace(/\[(?:m|r)=([^\][]+)\]/gi, (_, title: string) => title.trim() || ' ')
    .replace(/\[(?:a|l|m|r|g|t)\d+\]/gi, missingReference)
    .replace(/\[img=[^\][]*\]/gi, '')
    .replace(/\[\/?(?:b|i|u|s|url|quote|list|center|img|youtube|spoiler|\*)(?:=[^\][]*)?\]/gi, '');
  return text
    .split('\n')
    .map((line) =>
      (line.includes(missingReference) ? withoutIncompleteSentences(line) : line)
        .replace(/[^\S\n]+/g, ' ')
        .trim(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Replaces "[url=https://example.org]text[/url]" by its text, or by the address without one. */
function stripUrlTags(profile: string): string {
  const ends = [...profile.matchAll(/\[\/url\]/gi)].map(({ index }) => index);
  let text = '';
  let done = 0;
  for (const { 0: opening, 1: address = '', index } of profile.matchAll(/\[url=([^\][]*)\]/gi)) {
    if (index < done) continue;
    while (ends.length > 0 && (ends[0] as number) < index + opening.length) ends.shift();
    const end = ends[0];
    if (end === undefined) break;
    text +=
      profile.slice(done, index) + (profile.slice(index + opening.length, end).trim() || address.trim());
    done = end + '[/url]'.length;
  }
  return text + profile.slice(done);
}

const withoutIncompleteSentences = (line: string): string =>
  line
    .split(/(?<=[.!?])\s+(?=\p{Lu}|\ufffc|["“(])/u)
    .filter((sentence) => !sentence.includes(missingReference))
    .join(' ');
