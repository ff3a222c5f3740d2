/** /admin/sources/add: paste an address, look at the first records, add it. */
import type { VNode } from 'preact';
import { ActionDelayed } from '../../contract/action-runner.ts';
import { Failure } from '../../failure.ts';
import { ButtonLink, CsrfField, EmptyState, Fact, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { MessageText } from '../error-pages.tsx';
import { Check, TextInput } from '../inputs.tsx';
import { plural, withQuery } from '../parts.tsx';
import { Listings } from './listing.tsx';
import type { Preview } from './types.ts';

const types: readonly (readonly [string, string])[] = [
  ['', 'Recognize it'],
  ['ical', 'Calendar (iCalendar)'],
  ['jsonld', 'Pages or a sitemap with schema.org data'],
  ['podcast', 'Podcast (RSS or Atom)'],
  ['feed', 'Feed of cratebase'],
  ['ticketmaster', 'Ticketmaster'],
  ['musicbrainz', 'MusicBrainz'],
  ['discogs', 'Discogs'],
  ['wordpress', 'WordPress (The Events Calendar)'],
  ['squarespace', 'Squarespace'],
  ['gancio', 'Gancio'],
  ['mobilizon', 'Mobilizon'],
  ['eventbrite', 'Eventbrite'],
  ['tickettailor', 'Ticket Tailor'],
  ['seatgeek', 'SeatGeek'],
  ['csv', 'Table (CSV)'],
  ['openstreetmap', 'OpenStreetMap (Overpass)'],
  ['wikidata', 'Wikidata (query)'],
];

type Answers = { problem?: string; preview?: Preview };

/** Shows the form, after a preview with its result. */
export function showAddSource(visit: StaffRequest, { problem, preview }: Answers = {}): void {
  const children = (
    <>
      <h1>Add a source</h1>
      <p class="lead">
        Paste the address of a club, a programme, a calendar or a podcast. Its source is recognized. Nothing
        is imported before you add it.
      </p>
      {problem !== undefined && (
        <div class="notice bad actions-below" role="alert">
          <MessageText text={problem} />
        </div>
      )}
      {preview === undefined ? (
        <AddressForm visit={visit} />
      ) : (
        <PreviewResult visit={visit} preview={preview} />
      )}
    </>
  );
  const status = problem === undefined ? 200 : 400;
  visit.render(status, { title: 'Add a source', section: '/admin/sources', children });
}

/** The form that asks for the address of a source; it leads to the preview. */
export function AddressForm({ visit }: { visit: StaffRequest }): VNode {
  return (
    <form class="stack actions-below" method="post" action={visit.path('/admin/sources/preview')}>
      <CsrfField token={visit.session.csrf} />
      <TextInput
        name="url"
        label="Address"
        value={visit.field('url')}
        hint="https://club.example/events.ics"
        required
      />
      <TextInput name="type" label="Type" value={visit.field('type')} choices={types} />
      <TextInput
        name="name"
        label="Name"
        value={visit.field('name')}
        hint="Shown with its events; by default the host"
      />
      <div>
        <button type="submit">Preview</button>
      </div>
    </form>
  );
}

const maxShown = 10;

function PreviewResult({ visit, preview }: { visit: StaffRequest; preview: Preview }): VNode {
  const { kept, records, other_records, rejected, rejected_count, stopped } = preview;
  return (
    <>
      <Section mark="A1" title="Preview" id="preview">
        <dl class="facts">
          <Fact term="Found">
            {preview.label}: <bdi>{preview.url}</bdi>
          </Fact>
          <Fact term="Type">{types.find(([type]) => type === preview.type)?.[1] ?? preview.type}</Fact>
          <Fact term="Events">
            {plural(records, 'event')}
            {other_records > 0 && `, ${plural(other_records, 'other record')}`}
            {!preview.is_complete && ' so far'}
          </Fact>
          {preview.license !== null && (
            <Fact term="Licence">
              {preview.license}, {preview.attribution}
            </Fact>
          )}
          {rejected_count > 0 && <Fact term="Rejected">{plural(rejected_count, 'record')}</Fact>}
        </dl>
        {stopped !== null && <p class="small soft">{stopped}</p>}
        {kept.length === 0 ? (
          <EmptyState>It lists no events. It can still be added.</EmptyState>
        ) : (
          <Listings records={kept.slice(0, maxShown)} />
        )}
        {rejected.slice(0, maxShown).map(({ where, reason }) => (
          <p class="small" key={where + reason}>
            <code>{where}</code> <bdi>{reason}</bdi>
          </p>
        ))}
      </Section>
      <Section mark="A2" title="Add it" id="add">
        <AddForm visit={visit} preview={preview} />
      </Section>
    </>
  );
}

function AddForm({ visit, preview }: { visit: StaffRequest; preview: Preview }): VNode {
  return (
    <form class="stack" method="post" action={visit.path('/admin/sources/add')}>
      <CsrfField token={visit.session.csrf} />
      <input type="hidden" name="url" value={preview.address} />
      <input type="hidden" name="type" value={preview.type} />
      <input type="hidden" name="options" value={preview.options.join('\n')} />
      <input type="hidden" name="license" value={preview.license ?? ''} />
      <input type="hidden" name="attribution" value={preview.attribution ?? ''} />
      <TextInput name="name" label="Name" value={preview.name} hint="Shown with its events" required />
      <TextInput
        name="trust"
        label="Trust"
        value="50"
        hint="0 to 100; if sources disagree, the highest wins"
      />
      <TextInput name="every" label="Read every" value="24h" hint="Such as 90m, 12h, 7d" />
      <Check
        name="complete"
        label="The list is complete: events missing from it count as cancelled"
        checked={false}
      />
      <div class="inline">
        <button type="submit">Add the source</button>
        <ButtonLink look="quiet" href={visit.path('/admin/sources/add')}>
          Another address
        </ButtonLink>
      </div>
    </form>
  );
}

const readAddress = (visit: StaffRequest) => ({
  url: visit.field('url').trim(),
  type: visit.field('type'),
  name: visit.field('name').trim(),
});

/** Runs an action; a refusal is shown above the form, which keeps what was typed. */
async function orShowProblem(visit: StaffRequest, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (failure) {
    if (!(failure instanceof Failure) || failure instanceof ActionDelayed) throw failure;
    showAddSource(visit, { problem: failure.message.replace(/^url: /, '') });
  }
}

export async function previewSource(visit: StaffRequest): Promise<void> {
  await orShowProblem(visit, async () => {
    showAddSource(visit, { preview: await runAction<Preview>(visit, 'source.preview', readAddress(visit)) });
  });
}

export async function addSource(visit: StaffRequest): Promise<void> {
  await orShowProblem(visit, async () => {
    const [trust, every] = [visit.field('trust').trim(), visit.field('every').trim()];
    const [license, attribution] = [visit.field('license').trim(), visit.field('attribution').trim()];
    const { added } = await runAction<{ added: { name: string } }>(visit, 'source.add', {
      ...readAddress(visit),
      ...(trust === '' ? {} : { trust }),
      ...(every === '' ? {} : { every }),
      ...(visit.field('complete') === '1' ? { complete: true } : {}),
      ...(license === '' ? {} : { license }),
      ...(attribution === '' ? {} : { attribution }),
      options: visit
        .field('options')
        .split(/\r?\n/)
        .filter((option) => option !== ''),
    });
    await runAction(visit, 'source.sync', { name: added.name });
    visit.redirect(withQuery('/admin/source', { name: added.name, done: 'added' }));
  });
}
