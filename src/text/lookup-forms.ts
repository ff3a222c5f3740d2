/** Lists the spellings under which a name is looked up. */
import { fold } from './fold.ts';

const suffixes: Record<string, readonly string[]> = {
  label: ['records', 'recordings', 'music'],
  festival: ['festival'],
  artist: [],
  venue: [],
};

/** The folded spellings of a name: "and" for "&", with and without "The", "DJ", "Records", "Festival" and a year. */
export function lookupForms(kind: string, name: string): string[] {
  const folded = fold(name).trim();
  const joined = [folded, folded.replace(/\s*&\s*/g, ' and '), folded.replace(/ and /g, ' & ')];
  const forms = new Set<string>();
  for (const form of joined) {
    const bare = form.replace(/^(?:the|dj) (?=\S)/, '');
    const yearless = kind === 'festival' ? [bare.replace(/(?<=\S) (?:19|20)\d\d$/, '')] : [];
    const stems = [form, bare, ...yearless, `the ${bare}`, ...(kind === 'artist' ? [`dj ${bare}`] : [])];
    for (const stem of stems) {
      forms.add(stem);
      for (const end of suffixes[kind] ?? []) {
        if (stem.endsWith(` ${end}`)) forms.add(stem.slice(0, -end.length - 1));
        else forms.add(`${stem} ${end}`);
      }
    }
  }
  return [...forms];
}
