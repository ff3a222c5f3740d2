/** Removes bullets, handles, instruments and aliases before and behind names in lists. */

import * as words from '../patterns.ts';
import { stripInstruments } from './instruments.ts';

const nonNameSymbol = '[^\\p{L}\\p{N}\\p{M}\\s"\'(\\[{!?.&$€¥£]';
/** Bullets before names: "• ", "// ", "-> ", "+ ", "@name". Symbols that belong to a name have no space ("*NSYNC", "_minted"). */
const bullet = new RegExp(
  `^(?:(?:${nonNameSymbol}+|&)\\s+|[•⇾➤▸‣❯►\\p{Extended_Pictographic}\ufe0f]\\s*|@\\s?(?=[\\p{L}\\p{N}]))+`,
  'u',
);
const trailingSymbols = /(?:\s+[/|\\,;:+&*•–»=<>#~-]+|\s+w\/|[,;:]+|\s\.)\s*$/iu;

/** Whether a name has a bullet before it or list symbols behind it. */
export const hasBullet = (text: string): boolean => {
  const name = text.trim();
  return (bullet.test(name) && /[\p{L}\p{N}]/u.test(name)) || trailingSymbols.test(name);
};

/** Removes bullets around a name, unless no letter or digit would remain. */
export function stripBullets(text: string): string {
  let name = text.trim();
  for (let round = 0; round < 3; round++) {
    const bare = name.replace(bullet, '').replace(trailingSymbols, '').trim();
    if (bare === name || !/[\p{L}\p{N}]/u.test(bare)) break;
    name = bare;
  }
  return name;
}

/** A mark between slashes: "/dj set/" means "(dj set)". */
const slashedTag = /\s\/\s?([^/]{2,20})\s?\/$/u;
const handle = /\s+@[\w.]+$/u;
/** A work or an alias in quotation marks behind a name. */
const trailingQuote = /(?<=[\p{L}\p{N})\]]\s)["„][^"]+["“]$/u;
/** A bracket that is not closed; the text behind it is a remark. */
const unclosedBracket = /\s*(?<=[\s\p{L}\p{N})\]])[([][^()[\]]*$/u;
const unopenedBracket = /^([^()[\]]*)[)\]]+$/u;

const isBalanced = (text: string, open: RegExp, close: RegExp): boolean =>
  (text.match(open)?.length ?? 0) === (text.match(close)?.length ?? 0);

/** Removes everything beside a name except closed brackets. */
export function stripLineNoise(text: string): string {
  let name = stripBullets(text).replace(slashedTag, ' ($1)').replace(handle, '');
  if (!isBalanced(name, /[([]/g, /[)\]]/g))
    name = name.replace(unclosedBracket, keepPerformanceTag).replace(unopenedBracket, '$1');
  name = stripInstruments(name).replace(trailingQuote, '');
  return name.trim() || text;
}

/** Closes an open bracket with a performance mark: "Ann (Hybrid Live"; other open brackets are removed. */
function keepPerformanceTag(match: string): string {
  const content = match.trim().slice(1).trim();
  return words.performanceTags.some(([pattern]) => pattern.test(content)) ? ` (${content})` : '';
}
