/** What lists write before and behind names: bullets, handles, instruments, aliases. */
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

const instrument = `(?:${[
  'lead|bass|double|prepared|electric|acoustic|electro-?acoustic|inside|tenor|alto|soprano|baritone|modular|analogue?|solo|live|no-input|hand|frame|alt|steel|slide|moog|grand',
].join('|')})`;
const play = `(?:${[
  'vocals?|voices?|vox|gesang|stimme|voix|voce|drums?|schlagzeug|batterie|batteria|percussions?|perc|guitars?|gitarre|guitare|chitarra|bass|kontrabass|contrabass|double bass|piano|keys?|keyboards?|synths?|synthesizers?|modular(?: synth(?:esizer)?)?|electronics?|elektronik|laptop|violin|violine|geige|viola|cello|trumpet|trompete|trombone|posaune|tuba|horn|sax|saxophones?|saxophon|clarinet|klarinette|flute|flöte|accordion|akkordeon|vibraphone|marimba|harp|harfe|organ|orgel|turntables?|cdjs|decks|samples?|sampler|tapes?|objects|feedback|video|mixer|beats|bells|gong|tabla|sitar|oud|koto|noise|dx7',
].join('|')})`;
const plays = `(?:${instrument} ?)*${play}`;
const allPlay = `${plays}(?:\\s*(?:,|&|\\+|/|and|und|et|y)\\s*${plays})*`;
/** "– drums", ": guitar, electronics": what somebody plays. */
const playing = new RegExp(`\\s*(?:\\s[–-]|:|\\s\\|)\\s+${allPlay}$`, 'iu');
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

/** "Ann – drums, electronics": the name alone. */
export const unplayed = (text: string): string => text.replace(playing, '');

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
