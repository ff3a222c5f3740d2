/** /admin/source?name=…: one source, its settings and rules, its runs, and what it contributes. */
import type { VNode } from 'preact';
import { Button, ButtonLink, CsrfField, DateTime, Fact, Section } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { ActionForm, Check, TextInput } from '../inputs.tsx';
import { DoneNotice, plural, withQuery } from '../parts.tsx';
import { Rejected, Runs } from './history.tsx';
import { StateTag } from './list.tsx';
import { PreviewOfRules } from './rules-preview.tsx';
import type { RulesPreview, SourceDetails } from './types.ts';

const doneTexts: Record<string, string> = {
  added: 'Added. The first run is due now; the state below shows it.',
  saved: 'Saved. The next run uses it.',
  unchanged: 'Nothing was changed.',
  started: 'The run started. Reload this page to see its result.',
  paused: 'Paused. The schedule skips it until you resume it.',
  resumed: 'Resumed.',
};

/** Rejected records on the page of the source; a page of their own has the others. */
const maxRejected = 5;

export async function showSource(visit: StaffRequest): Promise<void> {
  const name = visit.query.get('name') ?? '';
  renderSource(visit, await runAction<SourceDetails>(visit, 'source.show', { name }));
}

/**
 * Shows a source.
 * @param source with the settings for the form, which are not saved yet if there is a preview
 */
export function renderSource(visit: StaffRequest, source: SourceDetails, preview?: RulesPreview): void {
  const page = (path: string): string => visit.path(withQuery(path, { name: source.name }));
  const children = (
    <>
      <p class="label">{source.type}</p>
      <h1>
        <bdi>{source.name}</bdi>
      </h1>
      <DoneNotice query={visit.query} texts={doneTexts} />
      {source.failures > 0 && source.last_error !== null && (
        <div class="notice bad actions-below" role="alert">
          <bdi>{source.last_error}</bdi>
        </div>
      )}
      {source.scheduled && preview === undefined && <Actions visit={visit} source={source} />}
      {preview !== undefined && (
        <Section mark="A0" title="Preview of the rules" id="preview">
          <PreviewOfRules preview={preview} />
        </Section>
      )}
      <Section mark="A1" title="State" id="state">
        <State source={source} heldPath={page('/admin/source/held')} />
      </Section>
      <Section mark="A2" title="Runs" id="runs">
        <Runs runs={source.runs} />
        {source.runs.length > 0 && (
          <p>
            <a href={page('/admin/source/runs')}>All runs</a>
          </p>
        )}
      </Section>
      {source.rejections !== null && source.rejections.rejected_count > 0 && (
        <Section mark="A3" title="Rejected records" id="rejected">
          <Rejected rejected={source.rejections.rejected.slice(0, maxRejected)} />
          <p>
            <a href={page('/admin/source/rejected')}>All rejected records</a>
          </p>
        </Section>
      )}
      <Section mark="B1" title="Settings and rules" id="settings">
        <SettingsForm visit={visit} source={source} />
      </Section>
      <Section mark="C1" title="Remove" id="remove">
        <p>Stop reading it and keep its records, withdraw them, or remove the source with all it brought.</p>
        <div>
          <ButtonLink look="quiet" href={page('/admin/source/remove')}>
            Remove …
          </ButtonLink>
        </div>
      </Section>
    </>
  );
  visit.render(200, { title: source.name, section: '/admin/sources', children });
}

function Actions({ visit, source }: { visit: StaffRequest; source: SourceDetails }): VNode {
  const form = (action: string, label: string, look?: 'quiet') => (
    <ActionForm
      action={visit.path('/admin/source')}
      csrf={visit.session.csrf}
      fields={{ name: source.name, do: action }}
      label={label}
      {...(look === undefined ? {} : { look })}
    />
  );
  return (
    <div class="actions">
      {form('run', 'Run now')}
      {source.paused_at === null ? form('pause', 'Pause', 'quiet') : form('resume', 'Resume', 'quiet')}
    </div>
  );
}

const when = (time: string | null, none: string): VNode => (
  <>{time === null ? none : <DateTime at={Date.parse(time)} time />}</>
);

function State({ source, heldPath }: { source: SourceDetails; heldPath: string }): VNode {
  const { contribution: of, held, usual_records } = source;
  return (
    <dl class="facts">
      <Fact term="State">
        <StateTag source={source} />
      </Fact>
      {source.url !== null && (
        <Fact term="Address">
          <bdi>{source.url}</bdi>
        </Fact>
      )}
      <Fact term="Last success">{when(source.last_success_at, 'never')}</Fact>
      <Fact term="Next run">{when(source.next_run_at, 'none')}</Fact>
      <Fact term="Records">
        {source.records.toLocaleString('en')}
        {usual_records !== null && `; usually ${usual_records.toLocaleString('en')} in a run`}
      </Fact>
      <Fact term="Contribution">
        {`${of.only.toLocaleString('en')} only here, ${of.shared.toLocaleString('en')} also in other sources`}
        {!of.is_complete && ` (of the first ${of.records.toLocaleString('en')})`}
      </Fact>
      {held.waiting + held.rejected > 0 && (
        <Fact term="Held">
          <a href={heldPath}>
            {held.waiting > 0
              ? `${plural(held.waiting, 'record')} to approve`
              : `${plural(held.rejected, 'record')} rejected`}
          </a>
        </Fact>
      )}
    </dl>
  );
}

function SettingsForm({ visit, source }: { visit: StaffRequest; source: SourceDetails }): VNode {
  const { rules } = source;
  return (
    <form class="grid" method="post" action={visit.path('/admin/source')}>
      <CsrfField token={visit.session.csrf} />
      <input type="hidden" name="name" value={source.name} />
      <TextInput name="trust" label="Trust" value={String(source.trust)} hint="0 to 100; the highest wins" />
      {source.scheduled && (
        <TextInput name="every" label="Read every" value={source.every ?? ''} hint="Such as 90m, 12h, 7d" />
      )}
      <TextInput
        name="include"
        label="Only records that match"
        value={rules.include.join('\n')}
        rows={2}
        hint="One pattern per line, such as *techno*; empty: all"
      />
      <TextInput
        name="exclude"
        label="Leave out records that match"
        value={rules.exclude.join('\n')}
        rows={3}
        hint="One pattern per line, such as *karaoke*"
      />
      <TextInput name="city" label="City, if none is stated" value={rules.default_city ?? ''} />
      <TextInput
        name="country"
        label="Country, if none is stated"
        value={rules.default_country ?? ''}
        hint="Two letters, such as DE"
      />
      <TextInput
        name="timezone"
        label="Time zone, if none is stated"
        value={rules.default_timezone ?? ''}
        hint="Such as Europe/Berlin"
      />
      <TextInput
        name="maxAge"
        label="Leave out events older than"
        value={rules.max_age ?? ''}
        hint="Such as 90d; empty: none"
      />
      <TextInput
        name="onMissing"
        label="Upcoming events that it no longer lists"
        value={rules.on_missing}
        hint="cancel, remove, or remove:7d"
      />
      <TextInput name="license" label="Licence" value={rules.license ?? ''} />
      <TextInput name="attribution" label="Attribution line" value={rules.attribution ?? ''} />
      <TextInput name="attributionUrl" label="Attribution address" value={rules.attribution_url ?? ''} />
      <TextInput
        name="genres"
        label="Genres, if none is stated"
        value={rules.default_genres.join('\n')}
        rows={2}
        hint="One per line"
      />
      <div class="whole">
        {source.scheduled && (
          <Check
            name="complete"
            label="The list is complete: events missing from it count as cancelled"
            checked={source.complete}
          />
        )}
        <Check
          name="keepPast"
          label="Keep events that are over, even if it no longer lists them"
          checked={rules.keep_past}
        />
        <Check name="hold" label="Hold new records until an editor approves them" checked={rules.hold} />
      </div>
      <div class="whole inline">
        <Button name="do" value="set">
          Save
        </Button>
        <Button name="do" value="preview" look="quiet">
          Show the effect first
        </Button>
      </div>
    </form>
  );
}
