/** The form of a source's settings. */
import type { VNode } from 'preact';
import type { ShownSource } from '../../contract/source-summaries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { Button } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { Check, type FormState, TextInput } from '../inputs.tsx';
import { StaffForm } from '../parts.tsx';
import { onMissingChoices, shownValues, toForm } from './settings.ts';

type SettingsFormProps = {
  visit: StaffRequest;
  source: ShownSource;
  /** The form as it was sent; undefined: the form shows the saved settings. */
  sent: FormState | undefined;
};

/** The form with the settings and rules of a source, and its buttons to save them or to preview the rules. */
export function SettingsForm({ visit, source, sent }: SettingsFormProps): VNode {
  const { settings } = useMessages().consoleSources;
  const values = sent?.values ?? toForm(source);
  const input = inputMaker(values, sent?.errors ?? {});
  return (
    <StaffForm
      visit={visit}
      action="/admin/source"
      look="grid"
      fields={{ name: source.name, ...shownValues(source, sent?.values) }}
    >
      {input('trust', settings.trust, { hint: settings.trustHint })}
      {source.scheduled && input('every', settings.every, { hint: settings.everyHint })}
      {input('include', settings.include, { hint: settings.includeHint, rows: 2 })}
      {input('exclude', settings.exclude, { hint: settings.excludeHint, rows: 3 })}
      {input('city', settings.city)}
      {input('country', settings.country, { hint: settings.countryHint })}
      {input('timezone', settings.timezone, { hint: settings.timezoneHint })}
      {input('maxAge', settings.maxAge, { hint: settings.maxAgeHint })}
      {input('onMissing', settings.onMissing, {
        hint: settings.onMissingHint,
        choices: onMissingChoices.map((choice) => [choice, settings.onMissingChoices[choice]] as const),
      })}
      {input('onMissingAfter', settings.onMissingAfter, { hint: settings.onMissingAfterHint })}
      {input('license', settings.license)}
      {input('attribution', settings.attribution)}
      {input('attributionUrl', settings.attributionUrl)}
      {input('genres', settings.genres, { hint: settings.genresHint, rows: 2 })}
      <Checks source={source} values={values} />
      <div class="whole inline">
        <Button name="do" value="set">
          {settings.save}
        </Button>
        <Button name="do" value="preview" look="quiet">
          {settings.preview}
        </Button>
      </div>
    </StaffForm>
  );
}

type InputOptions = Pick<Parameters<typeof TextInput>[0], 'hint' | 'rows' | 'choices'>;

/** Returns a function that makes an input with its value and its error. */
const inputMaker =
  (values: FormState['values'], errors: FormState['errors']) =>
  (name: string, label: string, options: InputOptions = {}): VNode => (
    <TextInput name={name} label={label} value={values.get(name) ?? ''} {...options} error={errors[name]} />
  );

function Checks({ source, values }: { source: ShownSource; values: URLSearchParams }): VNode {
  const { settings } = useMessages().consoleSources;
  return (
    <div class="whole">
      {source.scheduled && (
        <Check name="complete" label={settings.complete} checked={values.get('complete') === '1'} />
      )}
      <Check name="keepPast" label={settings.keepPast} checked={values.get('keepPast') === '1'} />
      <Check name="hold" label={settings.hold} checked={values.get('hold') === '1'} />
    </div>
  );
}
