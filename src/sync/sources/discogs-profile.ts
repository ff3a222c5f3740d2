/** Profiles of Discogs as plain text: its markup taken out. */

/** "X (2)" is the second artist of that name; the number is Discogs' own and no part of the name. */
export const nameOf = (name: string): string => {
  const bare = name
    .replace(/\s+\(\d{1,4}\)$/, '')
    .replace(/\*$/, '')
    .trim();
  return bare === '' ? name.trim() : bare;
};

/** Stands for a reference by number alone, which says no name. */
const hole = '\ufffc';

/** @returns the text; sentences that would have a hole where only a number is given are left out; '' where none is left */
export function textOfProfile(profile: string): string {
  const text = profile
    .slice(0, 100_000)
    .replace(/\r\n?/g, '\n')
    .replaceAll(hole, '')
    .replace(/\[(?:a|l|g)=([^\][]+)\]/gi, (_, name: string) => nameOf(name.trim()))
    .replace(/\[(?:m|r|u|d)=\s*\d+\s*\]/gi, hole)
    .replace(/\[(?:m|r)=([^\][]+)\]/gi, (_, title: string) => title.trim() || ' ')
    .replace(/\[(?:a|l|m|r|g|t)\d+\]/gi, hole)
    .replace(/\[url=\s*([^\][]*?)\s*\](.*?)\[\/url\]/gis, (_, to: string, text: string) => text.trim() || to)
    .replace(/\[img=[^\][]*\]/gi, '')
    .replace(/\[\/?(?:b|i|u|s|url|quote|list|center|img|youtube|spoiler|\*)(?:=[^\][]*)?\]/gi, '');
  return text
    .split('\n')
    .map((line) => (line.includes(hole) ? withoutHoles(line) : line).replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const withoutHoles = (line: string): string =>
  line
    .split(/(?<=[.!?])\s+(?=\p{Lu}|\ufffc|["“(])/u)
    .filter((sentence) => !sentence.includes(hole))
    .join(' ');
