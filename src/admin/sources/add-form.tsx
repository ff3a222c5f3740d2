/** The form that adds a source. */
import type { VNode } from 'preact';
import { Button } from '../../pages/parts.tsx';
import { runAction, type StaffRequest } from '../admin-request.ts';
import { Checkbox, Select, StaffForm, TextField } from '../parts.tsx';

const types = [
  { value: 'ical', label: 'Calendar (iCalendar, .ics)' },
  { value: 'jsonld', label: 'Web pages with events (schema.org)' },
  { value: 'podcast', label: 'Podcast (RSS)' },
  { value: 'feed', label: 'Feed of another cratebase' },
] as const;

const intervals = [
  { value: '6h', label: 'every 6 hours' },
  { value: '24h', label: 'every day' },
  { value: '7d', label: 'every week' },
] as const;

export function AddSourceForm({ visit }: { visit: StaffRequest }): VNode {
  return (
    <StaffForm visit={visit} action="/admin/sources/add" look="stack">
      <TextField
        name="url"
        label="Address"
        hint="Of a calendar, a page with events, a podcast or a feed"
        placeholder="https://club.example/events.ics"
        maxLength={2_000}
        required
      />
      <Select name="type" label="Format" options={types} value="ical" />
      <TextField
        name="name"
        label="Name"
        hint="Shown with its events. Empty: the host of the address"
        maxLength={100}
      />
      <Select name="every" label="Read it" options={intervals} value="24h" />
      <Checkbox name="complete" label="It lists all its events: cancel those that it drops" />
      <div>
        <Button>Add and read now</Button>
      </div>
    </StaffForm>
  );
}

type Added = { added: { name: string }; blocked: { advice: string } | null };

/** Adds the source of the form and starts to read it. Returns how the page goes on. */
export async function addSource(visit: StaffRequest): Promise<Added> {
  const url = visit.field('url').trim();
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
  const name = visit.field('name').trim() || host;
  const result = await runAction<Added>(visit, 'source.add', {
    name,
    url,
    type: visit.field('type'),
    every: visit.field('every') || '24h',
    ...(visit.field('complete') === 'on' ? { complete: true } : {}),
  });
  if (result.blocked === null) await runAction(visit, 'source.sync', { name: result.added.name });
  return result;
}
