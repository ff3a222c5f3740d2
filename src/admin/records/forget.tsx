/** /admin/records/ID/forget: what forgetting an artist does, and the choice about the name, before it is done. */
import { Failure } from '../../failure.ts';
import { ButtonLink, CsrfField, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Check } from '../inputs.tsx';
import { recordOf } from './record.tsx';
import type { ShownRecord } from './types.ts';

type ForgetReport = { id: string; slug: string | null; changed_records: number; is_file_rewritten: boolean };

export async function confirmForget(visit: StaffRequest): Promise<void> {
  const { record, removed } = await runAction<ShownRecord>(visit, 'record.show', { record: recordOf(visit) });
  if (record.kind !== 'artist' || removed !== null)
    throw new Failure('Only an artist that is shown can be forgotten.', 2);
  const path = visit.path(`/admin/records/${record.id}`);
  const children = (
    <>
      <h1 class="ask">
        Forget <bdi>{record.name}</bdi>?
      </h1>
      <p class="lead">
        <b>This cannot be reversed.</b> Real name, biography, picture, links, ids and aliases are erased, also
        in what sources stated and in the history. Later imports do not bring them back.
      </p>
      <form class="stack actions-below" method="post" action={path}>
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="do" value="forget" />
        <fieldset class="field">
          <legend>The stage name</legend>
          <label class="check">
            <input type="radio" name="name" value="keep" required />
            <span>Keep it: the name and its events stay</span>
          </label>
          <label class="check">
            <input type="radio" name="name" value="remove" required />
            <span>Remove it too: line-ups omit the artist, and the page is gone</span>
          </label>
        </fieldset>
        <Check name="sure" label="I have read that this cannot be reversed" checked={false} />
        <div class="inline">
          <button type="submit" class="danger">
            Forget for good
          </button>
          <ButtonLink look="quiet" href={path}>
            Keep everything
          </ButtonLink>
        </div>
      </form>
    </>
  );
  visit.render(200, { title: 'Forget an artist', section: '/admin/records', children });
}

/** Forgets an artist, and says what is left to do: backups, and unused parts of the data file. */
export async function forgetArtist(visit: StaffRequest): Promise<void> {
  const name = visit.field('name');
  if (name !== 'keep' && name !== 'remove')
    throw new Failure('Choose whether the stage name stays. Nothing was changed.', 2);
  if (visit.field('sure') !== '1')
    throw new Failure('Confirm that you have read that this cannot be reversed. Nothing was changed.', 2);
  const report = await runAction<ForgetReport>(visit, 'record.forget', { record: recordOf(visit), name });
  const children = (
    <>
      <h1>Forgotten</h1>
      <p class="lead">
        {report.slug === null
          ? 'The artist and the name are erased.'
          : 'What was known of the artist is erased. The name and its events stay.'}{' '}
        {report.changed_records > 0 &&
          `Changed records that named the artist: ${report.changed_records.toLocaleString('en')}.`}
      </p>
      <Section mark="A1" title="What is left to do" id="left">
        <ul>
          <li>Backups made before still contain the data. Delete them, or restore none of them.</li>
          {!report.is_file_rewritten && (
            <li>
              Unused parts of the data file may hold earlier versions. Stop the service once and run{' '}
              <code>cratebase forget --sweep</code>. New backups do not contain them.
            </li>
          )}
        </ul>
      </Section>
      <div class="actions">
        <ButtonLink look="quiet" href={visit.path('/admin/records')}>
          To the records
        </ButtonLink>
      </div>
    </>
  );
  visit.render(200, { title: 'Forgotten', section: '/admin/records', children });
}
