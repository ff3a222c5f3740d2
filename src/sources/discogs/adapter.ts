/**
 * Reads the data dumps of Discogs: artists and labels (docs/spec/imports.md#sources), streamed. Discogs ids distinguish
 * artists with one name. Names of other identities become aliases, so that they are found; the identities stay separate
 * records (docs/spec/imports.md#promises, promise 3).
 */

import { parseProfileLinks } from '../../text/profile-links.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordOf, RecordResult } from '../adapter.ts';
import { readEach } from '../common/read-each.ts';
import { redactUrl } from '../common/redact.ts';
import { stated } from '../common/values.ts';
import {
  childItems,
  childText,
  firstChild,
  readXmlRecords,
  type XmlElement,
  type XmlRecord,
} from '../common/xml.ts';
import { profileToText, stripDisambiguation } from './profile.ts';

const maxDumpBytes = 64 * 1024 ** 3;
const maxAliases = 200;
/** Max children of a single-record file, whose root may never end. */
const maxParts = 1_000;
/** A name needs at least one visible character. */
const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const discogs: Adapter = {
  async *read(context) {
    return yield* readEach(context, await context.list(context.location), (file) => readDump(context, file));
  },
};

async function* readDump(context: AdapterContext, location: string): AsyncGenerator<FeedRecord, ReadOutcome> {
  const resource = await context.open(location, { maxBytes: maxDumpBytes, conditional: true });
  if (resource === null) return { ended: 'unchanged' };
  const records = joinSingleRecord(readXmlRecords(resource));
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    const { root } = next.value;
    if (root !== 'artists' && root !== 'labels') {
      await records.return(null);
      return rejectDump(context, location, `contains ${root}: only dumps of artists and labels are imported`);
    }
    const result = toRecord(next.value);
    const where = describeRecord(location, next.value);
    if ('rejected' in result) context.reject(where, result.rejected);
    else {
      context.setRecordLocation?.(where);
      yield result.record;
    }
  }
  return next.value === null ? { ended: 'whole' } : rejectDump(context, location, next.value);
}

/** Joins the children of a root `<artist>` or `<label>` into one record: such a file contains a single record. */
async function* joinSingleRecord(
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
        const merged: XmlElement = single?.element ?? { name: root, attributes: {}, text: '', children: [] };
        if (merged.children.length < maxParts) merged.children.push(element);
        single = { root: `${root}s`, element: merged, line, problem: single?.problem ?? problem };
      }
    }
  } finally {
    await records.return(null);
  }
}

function rejectDump(context: AdapterContext, location: string, reason: string): ReadOutcome {
  context.reject(redactUrl(location), reason);
  return { ended: 'partial', reason: `${redactUrl(location)} ${reason}` };
}

const describeRecord = (location: string, { element, line }: XmlRecord): string => {
  const id = childText(element, 'id');
  return `${redactUrl(location)} line ${line}${id === undefined ? '' : ` (${element.name} ${id})`}`;
};

function toRecord({ root, element, problem }: XmlRecord): RecordResult {
  if (problem !== null) return { rejected: problem };
  if (`${element.name}s` !== root)
    return { rejected: `is <${element.name}>, but <${root.slice(0, -1)}> was expected` };
  const id = childText(element, 'id');
  const name = childText(element, 'name');
  if (id === undefined || !/^\d{1,12}$/.test(id)) return { rejected: 'has no id' };
  if (name === undefined || name.length > 1_000) return { rejected: 'has no name' };
  if (/\bDO NOT USE\b/.test(firstChild(element, 'profile')?.text ?? ''))
    return { rejected: 'is marked by Discogs as not to be used' };
  return { record: root === 'artists' ? toArtist(element, id, name) : toLabel(element, id, name) };
}

function toArtist(element: XmlElement, id: string, discogsName: string): RecordOf<'artist'> {
  const name = stripDisambiguation(discogsName);
  const names = [...childItems(element, 'namevariations'), ...childItems(element, 'aliases')].map(
    ({ text }) => stripDisambiguation(text),
  );
  const aliases = [...new Set(names)].filter(
    (alias) => visibleCharacter.test(alias) && alias !== name && alias.length <= 500,
  );
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...stated({
      aliases: aliases.slice(0, maxAliases),
      real_name: childText(element, 'realname')?.replace(/\s+/g, ' ').slice(0, 1_000),
      biography: profileText(element),
    }),
    ...toProfileFields(element, id).profiles,
  };
}

function toLabel(element: XmlElement, id: string, discogsName: string): RecordOf<'label'> {
  const parent = firstChild(element, 'parentLabel');
  const parentId = parent?.attributes.id;
  const { website, profiles } = toProfileFields(element, id);
  return {
    kind: 'label',
    external_id: id,
    name: stripDisambiguation(discogsName),
    ...stated({ description: profileText(element), website }),
    ...(parent && parent.text.trim() !== '' && parentId !== id
      ? { parent: { ...(parentId ? { external_id: parentId } : {}), name: stripDisambiguation(parent.text) } }
      : {}),
    ...profiles,
  };
}

const profileText = (element: XmlElement): string | null =>
  profileToText(firstChild(element, 'profile')?.text ?? '').slice(0, 50_000) || null;

function toProfileFields(element: XmlElement, id: string) {
  const { website, links, external_ids } = parseProfileLinks(
    childItems(element, 'urls').map(({ text }) => text),
  );
  return { website, profiles: { ...stated({ links }), external_ids: { ...external_ids, discogs: id } } };
}
