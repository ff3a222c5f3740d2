/** What lists write before and behind names: bullets, handles, instruments, aliases. */
import { unplayed } from './instruments.ts';
import * as words from './words.ts';

const sign = '[^\\p{L}\\p{N}\\p{M}\\s"\'(\\[{!?.&$€¥£]';
/** "• ", "// ", "-> ", "+ ", "@name": what stands before a name in lists. Signs of names stand close to them ("*NSYNC", "_minted"). */
const bullet = new RegExp(
  `^(?:(?:${sign}+|&)\\s+|[•⇾➤▸‣❯►\\p{Extended_Pictographic}\ufe0f]\\s*|@\\s?(?=[\\p{L}\\p{N}]))+`,
  'u',
);
const trailing = /(?:\s+[/|\\,;:+&*•–»=<>#~-]+|\s+w\/|[,;:]+|\s\.)\s*$/iu;

/** Whether something stands before or behind a name that lists put there. */
export const hasBullet = (text: string): boolean => {
  const name = text.trim();
  return (bullet.test(name) && /[\p{L}\p{N}]/u.test(name)) || trailing.test(name);
};

/** A name without bullets around it; the text itself where nothing else would remain. */
export function unbulleted(text: string): string {
  let name = text.trim();
  for (let round = 0; round < 3; round++) {
    const bare = name.replace(bullet, '').replace(trailing, '').trim();
    if (bare === name || !/[\p{L}\p{N}]/u.test(bare)) break;
    name = bare;
  }
  return name;
}

/** "/dj set/" is a mark as "(dj set)" is. */
const slashed = /\s\/\s?([^/]{2,20})\s?\/$/u;
const handle = /\s+@[\w.]+$/u;
/** A work or an alias in quotation marks behind a name. */
const quoted = /(?<=[\p{L}\p{N})\]]\s)["„][^"]+["“]$/u;
/** A bracket that is never closed: what follows is an aside. */
const unclosed = /\s*(?<=[\s\p{L}\p{N})\]])[([][^()[\]]*$/u;
const unopened = /^([^()[\]]*)[)\]]+$/u;

const balanced = (text: string, open: RegExp, close: RegExp): boolean =>
  (text.match(open)?.length ?? 0) === (text.match(close)?.length ?? 0);

/** Takes away what stands beside a name without brackets of its own. */
export function besideless(text: string): string {
  let name = unbulleted(text).replace(slashed, ' ($1)').replace(handle, '');
  if (!balanced(name, /[([]/g, /[)\]]/g)) name = name.replace(unclosed, markKept).replace(unopened, '$1');
  name = unplayed(name).replace(quoted, '');
  return name.trim() || text;
}

/** "Ann (Hybrid Live" says how Ann plays, though the bracket is open. */
function markKept(found: string): string {
  const content = found.trim().slice(1).trim();
  return words.marks.some(([pattern]) => pattern.test(content)) ? ` (${content})` : '';
}
