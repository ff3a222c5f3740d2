/**
 * The data dumps of Discogs: artists and labels (docs/spec/imports.md#sources), streamed. Its numbers keep artists of one name apart;
 * names of other identities are aliases, so that they are found, and stay records of their own (docs/spec/imports.md#promises, promise 3).
 */
import { Failure } from '../../failure.ts';
import { readProfiles } from '../reading/profile-links.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord, RecordOf } from './adapter.ts';
import { nameOf, textOfProfile } from './discogs-profile.ts';
import { shown } from './shown.ts';
import { childOf, type Element, listOf, readRecords, textOfChild, type XmlRecord } from './xml.ts';

const mostBytes = 64 * 1024 ** 3;
const mostAliases = 200;
/** More parts than any record has: a root that goes on without end is not kept. */
const mostParts = 1_000;
/** A name of signs that nobody sees is none. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const discogs: Adapter = {
  async *read(context) {
    const locations = await context.list(context.location);
    let end: AdapterEnd = { ended: locations.length === 0 ? 'whole' : 'unchanged' };
    for (const location of locations) {
      try {
        const ended = yield* readDump(context, location);
        if (end.ended !== 'partial' && ended.ended !== 'unchanged') end = ended;
      } catch (failure) {
        if (!(failure instanceof Failure) || locations.length === 1) throw failure;
        context.reject(shown(location), failure.message);
        end = { ended: 'partial', reason: failure.message };
      }
    }
    return end;
  },
};

async function* readDump(context: AdapterContext, location: string): AsyncGenerator<FeedRecord, AdapterEnd> {
  const opened = await context.open(location, { maxBytes: mostBytes, conditional: true });
  if (opened === null) return { ended: 'unchanged' };
  const records = wholeRecords(readRecords(opened));
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    const { root } = next.value;
    if (root !== 'artists' && root !== 'labels') {
      await records.return(null);
      return refused(context, location, `is a list of ${root}: the dumps of artists and labels are read`);
    }
    const record = recordOf(next.value);
    if (typeof record === 'string') context.reject(whereOf(location, next.value), record);
    else {
      context.at?.(whereOf(location, next.value));
      yield record;
    }
  }
  return next.value === null ? { ended: 'whole' } : refused(context, location, next.value);
}

/** A file of one artist or one label is a dump of it: what its root holds is one record. */
async function* wholeRecords(
  records: AsyncGenerator<XmlRecord, string | null>,
): AsyncGenerator<XmlRecord, string | null> {
  let single = null as XmlRecord | null;
  try {
    for (let next = await records.next(); ; next = await records.next()) {
      if (next.done) {
        if (single !== null) yield single;
        return next.value;
      }
      const { root, element, line, problem } = next.value;
      if (root !== 'artist' && root !== 'label') yield next.value;
      else {
        const own: Element = single?.element ?? { name: root, attributes: {}, text: '', children: [] };
        if (own.children.length < mostParts) own.children.push(element);
        single = { root: `${root}s`, element: own, line, problem: single?.problem ?? problem };
      }
    }
  } finally {
    await records.return(null);
  }
}

function refused(context: AdapterContext, location: string, reason: string): AdapterEnd {
  context.reject(shown(location), reason);
  return { ended: 'partial', reason: `${shown(location)} ${reason}` };
}

const whereOf = (location: string, { element, line }: XmlRecord): string => {
  const id = textOfChild(element, 'id');
  return `${shown(location)} line ${line}${id === undefined ? '' : ` (${element.name} ${id})`}`;
};

/** A record of the feed format, or why there is none. */
function recordOf({ root, element, problem }: XmlRecord): FeedRecord | string {
  if (problem !== null) return problem;
  if (`${element.name}s` !== root) return `holds <${element.name}> where <${root.slice(0, -1)}> is due`;
  const id = textOfChild(element, 'id');
  const name = textOfChild(element, 'name');
  if (id === undefined || !/^\d{1,12}$/.test(id)) return 'has no id';
  if (name === undefined || name.length > 1_000) return 'has no name';
  if (/\bDO NOT USE\b/.test(childOf(element, 'profile')?.text ?? ''))
    return 'is marked by Discogs as not to be used';
  return root === 'artists' ? artistOf(element, id, name) : labelOf(element, id, name);
}

function artistOf(element: Element, id: string, given: string): RecordOf<'artist'> {
  const name = nameOf(given);
  const names = [...listOf(element, 'namevariations'), ...listOf(element, 'aliases')].map(({ text }) =>
    nameOf(text),
  );
  const aliases = [...new Set(names)].filter(
    (alias) => visible.test(alias) && alias !== name && alias.length <= 500,
  );
  const realName = textOfChild(element, 'realname');
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...(aliases.length > 0 ? { aliases: aliases.slice(0, mostAliases) } : {}),
    ...(realName === undefined ? {} : { real_name: realName.replace(/\s+/g, ' ').slice(0, 1_000) }),
    ...textMember('biography', element),
    ...profilesOf(element, id),
  };
}

function labelOf(element: Element, id: string, given: string): RecordOf<'label'> {
  const parent = childOf(element, 'parentLabel');
  const parentId = parent?.attributes.id;
  const { website, ...profiles } = { website: undefined, ...profilesOf(element, id, true) };
  return {
    kind: 'label',
    external_id: id,
    name: nameOf(given),
    ...textMember('description', element),
    ...(website === undefined ? {} : { website }),
    ...(parent && parent.text.trim() !== '' && parentId !== id
      ? { parent: { ...(parentId ? { external_id: parentId } : {}), name: nameOf(parent.text) } }
      : {}),
    ...profiles,
  };
}

function textMember<K extends string>(key: K, element: Element): Partial<Record<K, string>> {
  const text = textOfProfile(childOf(element, 'profile')?.text ?? '').slice(0, 50_000);
  return text === '' ? {} : ({ [key]: text } as Record<K, string>);
}

function profilesOf(element: Element, id: string, withWebsite = false) {
  const { website, links, external_ids } = readProfiles(listOf(element, 'urls').map(({ text }) => text));
  return {
    ...(withWebsite && website !== undefined ? { website } : {}),
    ...(links.length > 0 ? { links } : {}),
    external_ids: { ...external_ids, discogs: id },
  };
}
