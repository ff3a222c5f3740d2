/** /admin/records: finds records of all kinds, also removed ones. */

import type { VNode } from 'preact';
import type { RecordSummary } from '../../contract/review-items.ts';
import { EmptyState, QuietLink, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { formatDay } from '../format.ts';
import { TextInput } from '../inputs.tsx';
import type { RemovedSummary } from './types.ts';

type Hit = {
  type: string;
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  start_at: string | null;
};
type Results = { hits: Hit[]; removed: RemovedSummary[] };

/** Shows the records that match the query, and removed ones; without a query, those that were removed last. */
export async function showSearch(visit: StaffRequest): Promise<void> {
  const query = (visit.query.get('q') ?? '').trim().slice(0, maxQuery);
  const results = await runAction<Results>(visit, 'record.search', { query });
  const words = visit.messages.consoleEdit.search;
  const children = (
    <>
      <h1>{words.title}</h1>
      <form class="line actions-below" method="get" action={visit.path('/admin/records')}>
        <TextInput name="q" label={words.name} value={query} hint={words.hint} />
        <button type="submit">{words.search}</button>
        <QuietLink href={visit.path('/admin/add-record')}>{words.add}</QuietLink>
      </form>
      {query !== '' && <Hits visit={visit} hits={results.hits} />}
      {(results.removed.length > 0 || query === '') && <Removed visit={visit} removed={results.removed} />}
    </>
  );
  visit.render(200, { title: words.title, section: '/admin/records', children });
}

const maxQuery = 200;

function Hits({ visit, hits }: { visit: StaffRequest; hits: Hit[] }): VNode {
  const words = visit.messages.consoleEdit.search;
  return (
    <Section title={words.found} id="found">
      {hits.length === 0 ? (
        <EmptyState>{words.none}</EmptyState>
      ) : (
        <ul class="rows">
          {hits.map((hit) => (
            <RecordRow
              visit={visit}
              record={{ kind: hit.type, slug: hit.slug, name: hit.name, id: `${hit.type}~${hit.slug}` }}
              note={hitText(visit, hit)}
              key={`${hit.type}~${hit.slug}`}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Removed({ visit, removed }: { visit: StaffRequest; removed: RemovedSummary[] }): VNode {
  const words = visit.messages.consoleEdit.search;
  return (
    <Section title={words.removed} id="removed">
      {removed.length === 0 ? (
        <EmptyState>{words.noneRemoved}</EmptyState>
      ) : (
        <ul class="rows">
          {removed.map((record) => (
            <RecordRow visit={visit} record={record} note={removedText(visit, record)} key={record.id} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const hitText = ({ messages }: StaffRequest, { start_at, city, country }: Hit): string =>
  [start_at && formatDay(messages, start_at), city, country].filter(Boolean).join(', ');

function removedText({ messages }: StaffRequest, removed: RemovedSummary): string {
  const { state, removed_by, removed_at, reason } = removed;
  const { search, states } = messages.consoleEdit;
  const text = search.removedBy(
    states[state],
    removed_by.replace(/^\w+:/, ''),
    formatDay(messages, removed_at),
  );
  return text + (reason === null ? '' : `: ${reason}`);
}

type Row = Omit<RecordSummary, 'kind'> & { kind: string };
function RecordRow(props: { visit: StaffRequest; record: Row; note: string | null }): VNode {
  const { visit, record, note } = props;
  return (
    <li>
      <div class="what">
        <a href={visit.path(`/admin/records/${record.id}`)}>
          <bdi>{record.name || record.slug}</bdi>
        </a>
        <div class="small soft">
          {visit.messages.consoleEdit.kinds[record.kind] ?? record.kind}, {record.slug}
          {note !== null && note !== '' && ` · ${note}`}
        </div>
      </div>
    </li>
  );
}
