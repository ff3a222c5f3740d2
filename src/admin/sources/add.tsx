/** /admin/sources/add: paste an address, look at the first records, add it. */
import type { VNode } from 'preact';
import { sourceTypes } from '../../contract/source-formats.ts';
import type { AddressPreview } from '../../contract/source-summaries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { BoldName, EmptyState, Fact, QuietLink, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Check, ErrorSummary, type FormState, TextInput } from '../inputs.tsx';
import { StaffForm, withQuery } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import { formErrors } from './failures.tsx';
import { Listings } from './listing.tsx';
import { PlaceForm, placeInputs, ShorterLineups, shownRecords } from './preview-notes.tsx';
import { startedQuery } from './progress.tsx';

type Errors = FormState['errors'];
type Answers = { errors?: Errors; preview?: AddressPreview };
/** The types that the form offers; the first one recognizes the source. */
const types = ['', ...sourceTypes];

/** Rejected records that the preview shows. */
const maxRejected = 10;

/** Shows the form, after a preview with its result. */
export function showAddSource(visit: StaffRequest, { errors = {}, preview }: Answers = {}): void {
  const { add } = visit.messages.consoleSources;
  const children = (
    <>
      <h1>{add.title}</h1>
      <p class="lead">{add.lead}</p>
      <ErrorSummary title={preview === undefined ? add.unread : add.refused} errors={errors} />
      {preview === undefined ? (
        <AddressForm visit={visit} errors={errors} />
      ) : (
        <PreviewResult visit={visit} preview={preview} errors={errors} />
      )}
    </>
  );
  const status = Object.keys(errors).length === 0 ? 200 : refusedStatus;
  visit.render(status, { title: add.title, section: '/admin/sources', children });
}

/** The form that asks for the address of a source; it leads to the preview. */
export function AddressForm({ visit, errors = {} }: { visit: StaffRequest; errors?: Errors }): VNode {
  const { add } = useMessages().consoleSources;
  return (
    <StaffForm visit={visit} action="/admin/sources/preview" look="stack actions-below">
      <TextInput
        name="url"
        label={add.url}
        value={visit.field('url')}
        hint="https://club.example/events.ics"
        required
        error={errors.url}
      />
      <TextInput
        name="type"
        label={add.type}
        value={visit.field('type')}
        choices={types.map((type) => [type, add.types[type] ?? type] as const)}
        error={errors.type}
      />
      <TextInput
        name="name"
        label={add.name}
        value={visit.field('name')}
        hint={add.nameHint}
        error={errors.name}
      />
      <div>
        <button type="submit">{add.preview}</button>
      </div>
    </StaffForm>
  );
}

type ResultProps = { visit: StaffRequest; preview: AddressPreview; errors: Errors };

function PreviewResult({ visit, preview, errors }: ResultProps): VNode {
  const { add, counts, settings, kindCount } = useMessages().consoleSources;
  const { kept, kept_count, kinds, other_records, rejected, rejected_count, stopped } = preview;
  const kindTexts = Object.entries(kinds).map(([kind, count]) => kindCount(kind, count));
  const contents = [
    ...(kindTexts.length > 0 ? kindTexts : [counts.events(0)]),
    ...(other_records > 0 ? [counts.otherRecords(other_records)] : []),
  ];
  return (
    <>
      <Section title={add.preview} id="preview">
        <dl class="facts">
          <Fact term={add.found}>
            <span lang="en">{preview.label}</span>: <bdi>{preview.url}</bdi>
          </Fact>
          <Fact term={add.type}>{add.types[preview.type] ?? preview.type}</Fact>
          <Fact term={add.events}>
            {preview.is_complete ? contents.join(', ') : add.soFar(contents.join(', '))}
          </Fact>
          {preview.license !== null && (
            <Fact term={settings.license}>
              {preview.license}, {preview.attribution}
            </Fact>
          )}
          {rejected_count > 0 && <Fact term={add.rejected}>{counts.records(rejected_count)}</Fact>}
        </dl>
        {stopped !== null && (
          <p class="small soft" lang="en">
            {stopped}
          </p>
        )}
        {kept.length === 0 ? (
          <EmptyState>{add.empty}</EmptyState>
        ) : (
          <Listings records={shownRecords(preview)} count={kept_count} />
        )}
        <PlaceForm visit={visit} preview={preview} />
        <Matches preview={preview} />
        <ShorterLineups visit={visit} preview={preview} />
        {rejected.slice(0, maxRejected).map(({ where, reason }) => (
          <p class="small" key={where + reason}>
            <code>{where}</code> <bdi lang="en">{reason}</bdi>
          </p>
        ))}
        {rejected_count > maxRejected && (
          <p class="small soft">{counts.shown(Math.min(rejected.length, maxRejected), rejected_count)}</p>
        )}
      </Section>
      <Section title={add.addTitle} id="add">
        <AddForm visit={visit} preview={preview} errors={errors} />
      </Section>
    </>
  );
}

/** Records of the catalogue that the address lists too: it adds to them, and makes no second ones. */
function Matches({ preview: { matches, match_count } }: { preview: AddressPreview }): VNode {
  const { add, counts, kindName } = useMessages().consoleSources;
  if (matches === null) return <p class="small soft">{add.matchesUnknown}</p>;
  if (matches.length === 0) return <p class="small soft">{add.noMatches}</p>;
  return (
    <>
      <h3>{add.matches}</h3>
      <ul class="rows">
        {matches.map(({ kind, slug, name, why }) => (
          <li key={`${kind} ${slug}`}>
            <div class="what">
              <BoldName>{name}</BoldName> <span class="small soft">{kindName(kind)}</span>
              <div class="small soft" lang="en">
                {why}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {match_count > matches.length && <p class="small soft">{counts.shown(matches.length, match_count)}</p>}
    </>
  );
}

/** The form that adds the source of a preview. Sent before, it shows what was sent. */
function AddForm({ visit, preview, errors }: ResultProps): VNode {
  const { add, settings } = useMessages().consoleSources;
  const valueOfInput = (name: string, first: string): string =>
    visit.form.has('every') ? visit.field(name) : first;
  return (
    <StaffForm visit={visit} action="/admin/sources/add" look="stack">
      <input type="hidden" name="url" value={preview.address} />
      <input type="hidden" name="type" value={preview.type} />
      <input type="hidden" name="options" value={valueOfInput('options', preview.options.join('\n'))} />
      <input type="hidden" name="license" value={preview.license ?? ''} />
      <input type="hidden" name="attribution" value={preview.attribution ?? ''} />
      <TextInput
        name="name"
        label={add.name}
        value={valueOfInput('name', preview.name)}
        hint={add.addedNameHint}
        required
        error={errors.name}
      />
      <TextInput
        name="trust"
        label={settings.trust}
        value={valueOfInput('trust', '50')}
        hint={settings.trustHint}
        error={errors.trust}
      />
      <TextInput
        name="every"
        label={settings.every}
        value={valueOfInput('every', '24h')}
        hint={settings.everyHint}
        error={errors.every}
      />
      <Check name="complete" label={add.complete} checked={visit.field('complete') === '1'} />
      <div class="inline">
        <button type="submit">{add.submit}</button>
        <QuietLink href={visit.path('/admin/sources/add')}>{add.another}</QuietLink>
      </div>
    </StaffForm>
  );
}

const readAddress = (visit: StaffRequest) => ({
  url: visit.field('url').trim(),
  type: visit.field('type'),
  name: visit.field('name').trim(),
});

/** The options that name a place: those of their form, otherwise those of the preview that was shown before. */
function readPlace(visit: StaffRequest): string[] {
  if (visit.form.has('options'))
    return optionsOf(visit).filter((option) => /^(?:city|country|timezone)=/.test(option));
  return placeInputs.flatMap((name) => {
    const value = visit.field(name).trim();
    return value === '' ? [] : [`${name}=${value}`];
  });
}

const optionsOf = (visit: StaffRequest): string[] =>
  visit
    .field('options')
    .split(/\r?\n/)
    .filter((option) => option !== '');

/** Inputs of the two forms; an error of the address stands at the first one. */
const addressInputs = ['url', 'type', 'name'];
const addInputs = ['name', 'trust', 'every'];

/** Reads the address of the form and shows its first records. Nothing is stored. */
export async function previewSource(visit: StaffRequest): Promise<void> {
  try {
    showAddSource(visit, {
      preview: await runAction<AddressPreview>(visit, 'source.preview', {
        ...readAddress(visit),
        options: readPlace(visit),
      }),
    });
  } catch (failure) {
    showAddSource(visit, { errors: addressErrors(visit, failure) });
  }
}

/** Errors of a preview without another input are about the address. */
function addressErrors(visit: StaffRequest, failure: unknown): Errors {
  const errors = formErrors(visit, failure, addressInputs);
  return errors[''] === undefined ? errors : { url: errors[''] };
}

/** Adds the source of a preview, starts its first run and redirects to its page. A refused form is shown again. */
export async function addSource(visit: StaffRequest): Promise<void> {
  const [trust, every] = [visit.field('trust').trim(), visit.field('every').trim()];
  const [license, attribution] = [visit.field('license').trim(), visit.field('attribution').trim()];
  try {
    const { added } = await runAction<{ added: { name: string } }>(visit, 'source.add', {
      ...readAddress(visit),
      ...(trust === '' ? {} : { trust }),
      ...(every === '' ? {} : { every }),
      ...(visit.field('complete') === '1' ? { complete: true } : {}),
      ...(license === '' ? {} : { license }),
      ...(attribution === '' ? {} : { attribution }),
      options: optionsOf(visit),
    });
    const query = startedQuery(visit, added.name);
    await runAction(visit, 'source.sync', { name: added.name });
    visit.redirect(withQuery('/admin/source', { name: added.name, done: 'added', ...query }));
  } catch (failure) {
    await showAddAgain(visit, formErrors(visit, failure, addInputs));
  }
}

/** Shows the refused form again. The address is read again; if that fails, the first form stands there. */
async function showAddAgain(visit: StaffRequest, errors: Errors): Promise<void> {
  const { url, type } = readAddress(visit);
  try {
    const preview = await runAction<AddressPreview>(visit, 'source.preview', {
      ...{ url, type, name: '' },
      options: readPlace(visit),
    });
    showAddSource(visit, { errors, preview });
  } catch (failure) {
    showAddSource(visit, { errors: { ...errors, ...addressErrors(visit, failure) } });
  }
}
