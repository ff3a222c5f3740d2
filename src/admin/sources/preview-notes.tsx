/** What a preview says besides its records: events without a place or a time zone, and line-ups that would get shorter. */
import type { VNode } from 'preact';
import type { AddressPreview, ListingSummary } from '../../contract/source-summaries.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import type { StaffRequest } from '../admin-request.ts';
import { formatDay } from '../format.ts';
import { TextInput } from '../inputs.tsx';
import { StaffForm, withQuery } from '../parts.tsx';

/** The inputs of the form for the place; each is an option of the type of the source. */
export const placeInputs = ['city', 'country', 'timezone'] as const;
/** Line-ups that are named. */
const maxLineups = 5;

/** The next events as the catalogue would show them, otherwise the records as the source states them. */
export function shownRecords({ kept, next }: AddressPreview): ListingSummary[] {
  const isEventsOnly = kept.every(({ kind }) => kind === 'event');
  if (next === null || next.records.length === 0 || !isEventsOnly) return kept;
  return next.records.map(({ slug, name, start_at, venue, city }) => ({
    ...{ kind: 'event', external_id: slug, name, start_at, venue, city },
    ...{ end_at: null, country: null, url: null, acts: null, sets: null },
  }));
}

/** Asks for the city, country and time zone of events that state none. Sent, the preview is shown again with them. */
export function PlaceForm({
  visit,
  preview,
}: {
  visit: StaffRequest;
  preview: AddressPreview;
}): VNode | null {
  const { add } = useMessages().consoleSources;
  const { next, place_options, type, address, name } = preview;
  const withoutCity = next?.without_city ?? 0;
  const withoutZone = next?.without_zone ?? 0;
  const wasSent = placeInputs.some((input) => visit.field(input) !== '');
  if (withoutCity + withoutZone === 0 && !wasSent) return null;
  const inputs = placeInputs.filter((input) => place_options.includes(input));
  return (
    <>
      {withoutCity > 0 && <p>{add.withoutCity(withoutCity)}</p>}
      {withoutZone > 0 && <p>{add.withoutZone(withoutZone)}</p>}
      {inputs.length === 0 ? (
        <p class="small soft">{add.placeLater}</p>
      ) : (
        <StaffForm
          visit={visit}
          action="/admin/sources/preview"
          look="stack"
          fields={{ url: address, type, name }}
        >
          {inputs.map((input) => (
            <TextInput
              key={input}
              name={input}
              label={add.place[input]}
              value={visit.field(input)}
              hint={add.placeHints[input]}
            />
          ))}
          <div>
            <button type="submit">{add.previewAgain}</button>
          </div>
        </StaffForm>
      )}
    </>
  );
}

/** Events whose line-up the source would replace by a shorter one, and how to keep their acts. */
export function ShorterLineups({
  visit,
  preview,
}: {
  visit: StaffRequest;
  preview: AddressPreview;
}): VNode | null {
  const messages = useMessages();
  const { add, counts } = messages.consoleSources;
  const events = preview.shorter_lineups ?? [];
  if (events.length === 0) return null;
  const first = events.slice(0, maxLineups);
  return (
    <>
      <h3>{add.shorterLineups}</h3>
      <p>{add.shorterLineupsText}</p>
      <ul class="rows">
        {first.map(({ slug, name, date, missing }) => (
          <li key={slug}>
            <div class="what">
              <a href={visit.path(withQuery('/admin/records', { q: name }))}>
                <bdi>{name}</bdi>
              </a>
              <div class="small soft">
                {formatDay(messages, date)} · {add.withoutActs(missing.join(', '))}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {events.length > first.length && <p class="small soft">{counts.shown(first.length, events.length)}</p>}
    </>
  );
}
