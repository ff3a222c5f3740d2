/** Feeds of an invented town, for tests that import the same twice. */

const venues = ['Amber Hall', 'Basalt', 'Cinder Yard', 'Delta Rooms', 'Ebb', 'Fathom'];
const starts = ['20:00', '21:30', '23:00'];

/**
 * The lines of one source: venues, artists, and events of three acts each.
 * @param source goes into the ids, so that two sources list the same things under ids of their own
 * @param listEvents how many events
 * @param edited a later state of the source: some names, times and prices differ, and every ninth event is gone
 */
export function feed(source: string, events: number, edited = false): string {
  const lines: object[] = [
    { kind: 'city', external_id: 'ber', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  ];
  for (const [index, name] of venues.entries())
    lines.push({ kind: 'venue', external_id: `${source}-v${index}`, name, city: 'Berlin', country: 'DE' });
  for (let act = 0; act < 40; act++)
    lines.push({
      kind: 'artist',
      external_id: `${source}-a${act}`,
      name: `Performer ${act}${edited && act % 7 === 0 ? ' renamed' : ''}`,
      aliases: edited ? [`Alias ${act}`] : [],
    });
  for (let index = 0; index < events; index++) {
    if (edited && index % 9 === 0) continue;
    const day = new Date(Date.UTC(2031, 0, 1) + Math.floor(index / venues.length) * 86_400_000);
    lines.push({
      kind: 'event',
      external_id: `${source}-e${index}`,
      name: edited && index % 5 === 0 ? `Night ${index}, new title` : `Night ${index}`,
      start_at: `${day.toISOString().slice(0, 10)}T${starts[index % starts.length]}`,
      venue: { external_id: `${source}-v${index % venues.length}`, name: venues[index % venues.length] },
      lineup: [index, index * 3 + 1, index * 7 + 2].map((act) => ({
        external_id: `${source}-a${act % 40}`,
        name: `Performer ${act % 40}`,
      })),
      tickets: [{ seller: source, url: `https://${source}.example/${index}`, price_min: edited ? 12 : 10 }],
    });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
