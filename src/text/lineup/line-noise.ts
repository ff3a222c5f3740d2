/** What lists write before and behind names: bullets, handles, instruments, aliases. */

import * as words from '../patterns.ts';
import { stripInstruments } from './instruments.ts';

const nonNameSymbol = '[^\\p{L}\\p{N}\\p{M}\\s"\'(\\[{!?.&$€¥£]';
/** "• ", "// ", "-> ", "+ ", "@name": what stands before a name in lists. Signs of names stand close to them ("*NSYNC", "_minted"). */
const bullet = new RegExp(
  `^(?:(?:${nonNameSymbol}+|&)\\s+|[•⇾➤▸‣❯►\\p{Extended_Pictographic}\ufe0f]\\s*|@\\s?(?=[\\p{L}\\p{N}]))+`,
  'u',
);
const trailingSymbols = /(?:\s+[/|\\,;:+&*•–»=<>#~-]+|\s+w\/|[,;:]+|\s\.)\s*$/iu;

/** Whether something stands before or behind a name that lists put there. */
export const hasBullet = (text: string): boolean => {
  const name = text.trim();
  return (bullet.test(name) && /[\p{L}\p{N}]/u.test(name)) || trailingSymbols.test(name);
};

/** A name without bullets around it; the text itself where nothing else would remain. */
export function stripBullets(text: string): string {
  let name = text.trim();
  for (let round = 0; round < 3; round++) {
    const bare = name.replace(bullet, '').replace(trailingSymbols, '').trim();
    if (bare === name || !/[\p{L}\p{N}]/u.test(bare)) break;
    name = bare;
  }
  return name;
}

/** "/dj set/" is a mark as "(dj set)" is. */
const slashedTag = /\s\/\s?([^/]{2,20})\s?\/$/u;
const handle = /\s+@[\w.]+$/u;
/** A work or an alias in quotation marks behind a name. */
const trailingQuote = /(?<=[\p{L}\p{N})\]]\s)["„][^"]+["“]$/u;
/** A bracket that is never closed: what follows is an aside. */
const unclosedBracket = /\s*(?<=[\s\p{L}\p{N})\]])[([][^()[\]]*$/u;
const unopenedBracket = /^([^()[\]]*)[)\]]+$/u;

const isBalanced = (text: string, open: RegExp, close: RegExp): boolean =>
  (text.match(open)?.length ?? 0) === (text.match(close)?.length ?? 0);

/** Takes away what stands beside a name without brackets of its own. */
export function stripLineNoise(text: string): string {
  let name = stripBullets(text).replace(slashedTag, ' ($1)').replace(handle, '');
  if (!isBalanced(name, /[([]/g, /[)\]]/g))
    name = name.replace(unclosedBracket, keepPerformanceTag).replace(unopenedBracket, '$1');
  name = stripInstruments(name).replace(trailingQuote, '');
  return name.trim() || text;
}

/** "Ann (Hybrid Live" says how Ann plays, though the bracket is open. */
function keepPerformanceTag(match: string): string {
  const content = match.trim().slice(1).trim();
  return words.performanceTags.some(([pattern]) => pattern.test(content)) ? ` (${content})` : '';
}
