/** The inputs of lists and places: a row for each entry, and empty ones to write into. */
import type { ComponentChildren, VNode } from 'preact';
import { availabilities, billings } from '../../contract/fields.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { describedBy, FieldError, TextInput } from '../inputs.tsx';
import type { Suggestions } from './edit-form.ts';
import { type Column, columnsOfType, type Row, type RowType } from './rows.ts';

type Words = Messages['consoleRecords']['rows'];

type RowInputsProps = {
  words: Words;
  /** The name of the field, with which the names of the inputs begin. */
  field: string;
  type: RowType;
  label: string;
  hint?: ComponentChildren;
  rows: readonly Row[];
  /** Messages by the name of an input, and by that of the field. */
  errors: Readonly<Record<string, string>>;
  /** What the browser suggests, by the name of an input. */
  suggestions?: Readonly<Record<string, Suggestions>> | undefined;
  /** What tells a row's artist apart from others of the name, by its record. */
  hints?: Readonly<Record<string, string>>;
  /** The row that gets the focus, after "more rows"; null: none. */
  focusedRow?: number | null;
};

function labelOfColumn(words: Words, type: RowType, column: Column): string {
  if (column === 'name' || column === 'record') return type === 'place' ? words.venue : words.artist;
  const labels: Record<Exclude<Column, 'name' | 'record'>, string> = {
    billing: words.billing,
    stage: words.stage,
    set_start_at: words.setStart,
    set_end_at: words.setEnd,
    seller: words.seller,
    url: words.url,
    price_min: words.priceMin,
    price_max: words.priceMax,
    currency: words.currency,
    availability: words.availability,
    city: words.city,
    country: words.country,
    type: words.type,
  };
  return labels[column];
}

function choicesOf(words: Words, column: Column): readonly (readonly [string, string])[] | undefined {
  if (column === 'billing')
    return ['', ...billings].map((one) => [one, textOf(words.billings, one)] as const);
  if (column === 'availability')
    return ['', ...availabilities].map((one) => [one, textOf(words.availabilities, one)] as const);
  return undefined;
}

const textOf = (texts: Readonly<Record<string, string>>, key: string): string => texts[key] ?? key;

/** A field of rows. "More rows" sends the form and shows it again with more of them, so it needs no script. */
export function RowInputs(props: RowInputsProps): VNode {
  const { words, field, type, label, hint, rows, errors, focusedRow = null, suggestions, hints } = props;
  const id = `field-${field}`;
  const columns = (columnsOfType[type] as readonly Column[]).filter((column) => column !== 'record');
  const isSingle = columns.length === 1;
  return (
    <fieldset
      class="field whole"
      id={id}
      tabindex={-1}
      aria-describedby={describedBy(id, { hint, error: errors[field] })['aria-describedby']}
    >
      <legend>{label}</legend>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <FieldError id={id} error={errors[field]} />
      <input type="hidden" name={`rows.${field}`} value={rows.length} />
      <div class={isSingle ? 'entries single' : 'entries'}>
        {rows.map((row, at) => (
          <fieldset
            class={`entry ${type}`}
            aria-label={type === 'place' ? label : words.row(label, at + 1)}
            key={at}
          >
            {columns.map((column, index) => (
              <RowInput
                {...{ words, field, type, column, at, listLabel: label }}
                value={row[column] ?? ''}
                error={errors[`${field}.${at}.${column}`]}
                hasFocus={at === focusedRow && index === 0}
                suggestions={suggestions?.[`${field}.${at}.${column}`]}
                hint={column === 'name' && row.record !== undefined ? hints?.[row.record] : undefined}
                key={column}
              />
            ))}
            {row.record !== undefined && row.record !== '' && (
              <input type="hidden" name={`${field}.${at}.record`} value={row.record} />
            )}
          </fieldset>
        ))}
      </div>
      {type !== 'place' && (
        <div>
          <button
            type="submit"
            formnovalidate
            class="quiet"
            name="more"
            value={field}
            aria-label={`${words.more}: ${label}`}
          >
            {words.more}
          </button>
        </div>
      )}
    </fieldset>
  );
}

type RowInputProps = {
  words: Words;
  field: string;
  type: RowType;
  column: Column;
  at: number;
  /** The name of the field. */
  listLabel: string;
  value: string;
  error: string | undefined;
  hasFocus: boolean;
  suggestions: Suggestions | undefined;
  hint: string | undefined;
};

function RowInput(props: RowInputProps): VNode {
  const { words, field, type, column, at, listLabel, value, error, hasFocus, suggestions, hint } = props;
  return (
    <TextInput
      name={`${field}.${at}.${column}`}
      label={type === 'names' ? words.row(listLabel, at + 1) : labelOfColumn(words, type, column)}
      value={value}
      error={error}
      hasFocus={hasFocus}
      maxLength={column === 'url' ? 2_000 : 1_000}
      choices={choicesOf(words, column)}
      hidesLabel={type === 'names'}
      suggestions={suggestions}
      hint={hint}
    />
  );
}
