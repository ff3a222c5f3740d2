/** Walks the cities of a country and what is on in the first of them that has something on. */
import { connect, walk } from './client.js';

const { BASE = 'http://127.0.0.1:4880', KEY } = process.env;
if (KEY === undefined) throw new Error('Set KEY to an API key.');
const api = connect(BASE, KEY);

let cities = 0;
let busiest: { name: string; slug: string; events: number } | undefined;
for await (const city of walk((cursor) =>
  api.GET('/cities', { params: { query: { country: 'DE', limit: 20, ...(cursor && { cursor }) } } }),
)) {
  cities += 1;
  if (busiest !== undefined || city.timezone === null) continue;
  const detail = await api.GET('/cities/{slug}', { params: { path: { slug: city.slug } } });
  const events = detail.data?.data.upcoming_event_count ?? 0;
  if (events > 0) busiest = { name: city.name, slug: city.slug, events };
}
console.log(`${cities} cities`);

if (busiest !== undefined) {
  const { name, slug } = busiest;
  for await (const event of walk((cursor) =>
    api.GET('/cities/{slug}/events', {
      params: { path: { slug }, query: { limit: 2, ...(cursor && { cursor }) } },
    }),
  )) {
    const when = event.timezone === null ? event.start_at.slice(0, 10) : event.start_at;
    console.log(`${name}  ${when}  ${event.name}: ${event.lineup.map((act) => act.name).join(', ')}`);
  }
}
