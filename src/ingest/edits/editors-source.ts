/**
 * The source of records that people write by hand. It also states the name of a record that was known by name only, so
 * that its edits have an anchor.
 */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { EditAnchor } from '../../store/edits.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import type { RowOf } from '../../store/writer.ts';
import { editorsSourceName, editorsSourceType } from '../schedule/source-config.ts';
import type { WriteSession } from '../write-session.ts';
import type { FieldEdits } from './change-set.ts';
import { statedRecords } from './field-states.ts';

/**
 * The anchor of a record's edits: the source record that they move with. One of a record that a person merged into this
 * one is taken last, because it leaves again at a split. Creates the anchor for a record known by name only.
 */
export function ensureAnchor(
  session: WriteSession,
  record: RecordIdentity,
  edits: ReadonlyMap<string, FieldEdits>,
): EditAnchor {
  const kind = record.kind as FeedKind;
  const stated = statedRecords(session, record.id);
  const keys = session.sources
    .externalIdsOf(record.id)
    .map(({ source_name, external_id }) => ({ source: source_name, externalId: external_id }));
  const own = stated.filter(
    ({ sourceName, externalId }) =>
      !session.matcher.decisions.isMergedInto(kind, { source: sourceName, externalId }, keys),
  );
  const records = own.length > 0 ? own : stated;
  const present = session.sources.edits.of(record.id);
  const anchored = records.find((one) =>
    present.some(({ source, externalId }) => source === one.sourceName && externalId === one.externalId),
  );
  const first = anchored ?? records[0];
  if (first !== undefined) return { kind, source: first.sourceName, externalId: first.externalId };
  return { kind, source: editorsSourceName, externalId: stateName(session, record, edits) };
}

/** States the name of a record known by name only, as a source record of the editors. Returns its external id. */
function stateName(
  session: WriteSession,
  record: RecordIdentity,
  edits: ReadonlyMap<string, FieldEdits>,
): string {
  const { sources, matcher, now } = session;
  const kind = record.kind as FeedKind;
  const source = sources.store.ensure(editorsSourceName, editorsSourceType, now);
  const statement = nameStatement(session, record, source.id, edits);
  // Decisions about its slug stay valid.
  if (matcher.decisions.hasDecisionForName(kind, record.slug)) matcher.merger.keepName(kind, record.id, true);
  const externalId = publicId(record.kind, record.id);
  const key = { source: source.id, kind, externalId };
  const text = JSON.stringify(statement);
  if (sources.find(key) === undefined) sources.bind(key, record.id, text, now, source.run_count);
  else {
    // A reference to the record, which a record of its own follows.
    sources.move(key, record.id);
    sources.update(key, text, now, source.run_count);
  }
  matcher.indexSourceRecord(kind, record.id, source, externalId, statement);
  return externalId;
}

/** What is known about a record without source records: its name and place. */
function nameStatement(
  session: WriteSession,
  { kind, id }: RecordIdentity,
  sourceId: number,
  edits: ReadonlyMap<string, FieldEdits>,
): FeedRecordContent<FeedKind> {
  const row = session.writer.row(kind, id) as RowOf<FeedKind>;
  const { name } = row;
  if (kind === 'city') return { name, country: row.country ?? '' };
  if (kind === 'venue') {
    const edited = (field: string) => edits.get(field)?.set?.value as string | undefined;
    const [city, country] = [row.city ?? edited('city'), row.country ?? edited('country')];
    if (city == null || country == null)
      throw new Failure(
        'No source says where this venue is. Set its place as well: city=NAME country=CODE. Nothing was changed.',
        2,
        { field: 'city', code: 'place_missing' },
      );
    return { name, city, country };
  }
  if (kind === 'edition') {
    const { festival_id: festival, edition } = row as RowOf<'edition'>;
    return { festival: festivalOf(session, festival, sourceId), edition };
  }
  return { name };
}

/** The festival of an edition, bound by its id: several festivals may share a name. */
function festivalOf(session: WriteSession, id: number, sourceId: number) {
  const { sources, writer, now } = session;
  const externalId = publicId('festival', id);
  const key = { source: sourceId, kind: 'festival' as const, externalId };
  if (sources.find(key) === undefined) sources.bind(key, id, null, now, 0);
  return { external_id: externalId, name: writer.displayNameOf('festival', id).name };
}
