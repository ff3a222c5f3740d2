/** Fields that editors set stand above every source, through every sync, merge, split and export (docs/guides/correcting.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import { editableFieldsOf } from '../../src/contract/editable-fields.ts';
import { type FeedKind, feedRecordSchemas } from '../../src/contract/feed.ts';
import type { Failure } from '../../src/failure.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { ask, assertSound, freshFile, matchingNow, says } from '../support/matching.ts';

const artist = (id: string, more: object = {}) => ({
  kind: 'artist',
  external_id: id,
  name: 'Ben Klock',
  country: 'US',
  aliases: ['Ben Clock', 'Klock'],
  links: [{ type: 'website', url: 'https://wrong.example/' }],
  ...more,
});
const place = { venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' } };
const night = (id: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name: 'Tiefdruck',
  start_at: '2027-12-04T23:00',
  end_at: '2027-12-05T06:00',
  timezone: 'Europe/Berlin',
  ...place,
  lineup: [{ name: 'Vera Lindt' }, { name: 'Orrin' }],
  ...more,
});
const slug = 'tiefdruck-2027-12-04';

const editsOf = (sqlite: Database.Database, actor = 'ada', now = matchingNow) =>
  new Edits(sqlite, { now, actor: `terminal:${actor}` });
const set = (sqlite: Database.Database, record: string, ...changes: string[]) =>
  editsOf(sqlite).set(record, changes.map(parseChange));
const getArtist = (sqlite: Database.Database, name = 'ben-klock') => ask(sqlite, 'getArtist', { slug: name });
const getEvent = (sqlite: Database.Database, name = slug) => ask(sqlite, 'getEvent', { slug: name });
const actsOf = (sqlite: Database.Database, name = slug): string[] =>
  ask(sqlite, 'listEventLineup', { slug: name }).map((one: { name: string }) => one.name);

test('every field of the feed format can be edited, but for identities and addresses of sources', () => {
  const fixed: Partial<Record<FeedKind, string[]>> = {
    edition: ['festival', 'edition'],
    event: ['url'],
    episode: ['podcast'],
  };
  // They belong to the picture of a source, not to the record.
  const ofPictures = ['image_credit', 'image_license'];
  for (const kind of Object.keys(feedRecordSchemas) as FeedKind[]) {
    const left = [...(fixed[kind] ?? []), ...ofPictures];
    const all = Object.keys(feedRecordSchemas[kind].shape).filter((one) => !left.includes(one));
    assert.deepEqual(Object.keys(editableFieldsOf(kind)).sort(), all.sort(), kind);
  }
});

test('a field that is set stands above later imports and trust until it is reset', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1')]);
  const done = await set(sqlite, 'artist/ben-klock', 'country=fr');
  assert.deepEqual(done.fields, [{ field: 'country', before: 'US', after: 'FR', source_value: 'US' }]);
  assert.equal(getArtist(sqlite).country, 'FR');
  assertSound(sqlite);
  await says(sqlite, 'one', [artist('1', { country: 'GB', real_name: 'Ben' })], { trust: 100 });
  await says(sqlite, 'two', [artist('2', { country: 'NL' })], { trust: 99 });
  assert.equal(getArtist(sqlite).country, 'FR');
  assert.equal(getArtist(sqlite).real_name, 'Ben', 'other fields follow their sources');
  const { revision } = await says(sqlite, 'two', [artist('2', { country: 'NL' })]);
  assert.equal((await says(sqlite, 'two', [artist('2', { country: 'NL' })])).revision, revision);
  assert.equal((await set(sqlite, 'artist/ben-klock', 'country=FR')).audit_id, null, 'nothing to do');
  await editsOf(sqlite).reset('artist/ben-klock', ['country']);
  assert.equal(getArtist(sqlite).country, 'GB');
  assert.equal(sqlite.prepare('SELECT count(*) FROM edits').pluck().get(), 0);
  await assert.rejects(editsOf(sqlite).reset('artist/ben-klock', ['country']), /has no edit of country/);
  assertSound(sqlite);
});

test('none, a value equal to that of the source, and a name keep their meaning', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1', { biography: 'Wrong.' })]);
  await set(sqlite, 'artist/ben-klock', 'biography=', 'country=US');
  await says(sqlite, 'one', [artist('1', { biography: 'Wrong again.', country: 'GB' })]);
  assert.deepEqual([getArtist(sqlite).biography, getArtist(sqlite).country], [null, 'US']);
  await set(sqlite, 'artist/ben-klock', 'name=BENKLOCK');
  assert.equal(getArtist(sqlite).name, 'BENKLOCK');
  assert.ok(getArtist(sqlite).aliases.includes('Ben Klock'), 'mentions of the old name still lead here');
  await says(sqlite, 'club', [night('1', { lineup: [{ name: 'Ben Klock' }] })]);
  assert.deepEqual(actsOf(sqlite), ['BENKLOCK']);
  await set(sqlite, 'artist/ben-klock', 'name=Ben K');
  assert.deepEqual(actsOf(sqlite), ['Ben K'], 'records that show the name follow');
  assertSound(sqlite);
});

test('aliases and links are taken away and added, also against later imports', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1')]);
  await says(sqlite, 'club', [night('1', { lineup: [{ name: 'Ben Klock' }, { name: 'Ben Clock' }] })]);
  assert.deepEqual(actsOf(sqlite), ['Ben Klock']);
  const record = 'artist/ben-klock';
  await set(
    sqlite,
    record,
    'alias-=ben clock',
    'alias+=BK',
    'link-=http://www.wrong.example',
    'link+=https://soundcloud.com/benklock',
  );
  const shown = getArtist(sqlite);
  assert.deepEqual(shown.aliases, ['Klock', 'BK']);
  assert.deepEqual(shown.links, [{ type: 'soundcloud', url: 'https://soundcloud.com/benklock' }]);
  assert.deepEqual(actsOf(sqlite), ['Ben Klock', 'Ben Clock'], 'the alias is an artist of its own now');
  await says(sqlite, 'one', [artist('1', { aliases: ['Ben Clock', 'Klock', 'B. Klock'] })]);
  await says(sqlite, 'two', [artist('2', { aliases: ['BEN CLOCK'] })]);
  assert.deepEqual(getArtist(sqlite).aliases, ['Klock', 'B. Klock', 'BK']);
  assert.deepEqual(actsOf(sqlite), ['Ben Klock', 'Ben Clock']);
  const { revision } = await says(sqlite, 'two', [artist('2', { aliases: ['BEN CLOCK'] })]);
  assert.equal((await says(sqlite, 'two', [artist('2', { aliases: ['BEN CLOCK'] })])).revision, revision);
  await assert.rejects(set(sqlite, record, 'alias-=Nobody'), /aliases has no entry "Nobody". It has Klock/);
  await assert.rejects(set(sqlite, record, 'link+=javascript:alert(1)'), /not an http or https address/);
  await set(sqlite, record, 'alias-=BK', 'alias+=Ben Clock');
  assert.ok(getArtist(sqlite).aliases.includes('Ben Clock'));
  await set(sqlite, record, 'aliases=["Only"]', 'external_id+=discogs:28795', 'genre+=techno');
  assert.deepEqual(getArtist(sqlite).aliases, ['Only']);
  assert.equal(getArtist(sqlite).external_ids.discogs, '28795');
  await set(sqlite, record, 'external_id-=discogs', 'genre-=Techno');
  assert.equal(getArtist(sqlite).external_ids.discogs, null);
  assert.deepEqual(ask(sqlite, 'listArtistGenres', { slug: 'ben-klock' }), []);
  assertSound(sqlite);
});

test('an event: time, place, line-up, status and picture', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1', { start_at: '2027-12-04T23:00:00Z' })], { clock: 'local' });
  const record = `event/${slug}`;
  await assert.rejects(set(sqlite, record, 'start_at=2027-12-07T01:00'), /would end before it starts/);
  await assert.rejects(set(sqlite, record, 'start_at='), /start_at cannot be empty/);
  await assert.rejects(set(sqlite, record, 'start_at=tomorrow'), /start_at is not a time/);
  await assert.rejects(set(sqlite, record, 'status=gone'), /must be one of scheduled/);
  await set(sqlite, record, 'start_at=2027-12-04T20:00:00Z', 'image_url=https://x.example/right.jpg');
  assert.equal(getEvent(sqlite).start_at, '2027-12-04T21:00:00+01:00', 'a time with Z is an instant');
  assert.equal(getEvent(sqlite).end_at, '2027-12-05T06:00:00+01:00');
  await set(sqlite, record, 'artist-=orrin', 'artist+=Ben Klock', 'minimum_age=21');
  assert.deepEqual(actsOf(sqlite), ['Vera Lindt', 'Ben Klock']);
  await says(sqlite, 'two', [night('9', { lineup: [{ name: 'Orrin' }, { name: 'Marta' }] })]);
  assert.deepEqual(
    getEvent(sqlite).sources.map((one: { name: string }) => one.name),
    ['one', 'two'],
    'matching compares what the sources say; the editors are no source',
  );
  assert.deepEqual(actsOf(sqlite).sort(), ['Ben Klock', 'Marta', 'Vera Lindt']);
  await set(sqlite, record, 'venue=Kater Blau');
  assert.deepEqual(
    [getEvent(sqlite).venue.name, getEvent(sqlite).venue.city],
    ['Kater Blau', 'Hamburg'],
    'in the same city',
  );
  await set(sqlite, record, 'city=Berlin');
  assert.deepEqual([getEvent(sqlite).venue.name, getEvent(sqlite).city.name], ['Kater Blau', 'Berlin']);
  await set(sqlite, record, 'venue=venue/kornspeicher');
  assert.deepEqual([getEvent(sqlite).venue.slug, getEvent(sqlite).city.name], ['kornspeicher', 'Hamburg']);
  await set(sqlite, record, 'status=rescheduled');
  await says(sqlite, 'one', [], { complete: true, force: true });
  await says(sqlite, 'two', [], { complete: true, force: true });
  assert.equal(getEvent(sqlite).status, 'rescheduled', 'although no source lists it any more');
  await editsOf(sqlite).reset(record, ['status']);
  assert.equal(getEvent(sqlite).status, 'cancelled');
  await editsOf(sqlite).reset(record, []);
  assert.equal(getEvent(sqlite).start_at, '2027-12-04T23:00:00+01:00');
  assertSound(sqlite);
});

test('a venue in another country does not get the city of the event', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1')]);
  const rex = 'venue={"name":"Rex Club","country":"FR"}';
  await assert.rejects(set(sqlite, `event/${slug}`, rex), /The venue is in FR, and the event was in DE/);
  await set(sqlite, `event/${slug}`, rex, 'city=Paris');
  const { venue, city } = getEvent(sqlite);
  assert.deepEqual([venue.name, city.name, city.country], ['Rex Club', 'Paris', 'FR']);
  assertSound(sqlite);
});

test('acts of a title are kept when one is added or taken away', async (t) => {
  const sqlite = freshFile(t);
  const { lineup: _, ...titled } = night('1', { name: 'Vera Lindt, Orrin, Marta Kehl live' });
  await says(
    sqlite,
    'acts',
    ['Vera Lindt', 'Orrin', 'Marta Kehl'].map((name) => ({ kind: 'artist', external_id: name, name })),
  );
  await says(sqlite, 'one', [titled]);
  const [{ slug: own }] = ask(sqlite, 'listEvents');
  const before = actsOf(sqlite, own);
  assert.ok(before.includes('Orrin'), String(before));
  await set(sqlite, `event/${own}`, 'artist-=Orrin', 'artist+=Ben Klock');
  assert.deepEqual(actsOf(sqlite, own), [...before.filter((name) => name !== 'Orrin'), 'Ben Klock']);
  assertSound(sqlite);
});

test('a venue, a city, a genre and a label', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    { kind: 'city', external_id: 'c', name: 'Hamburg', country: 'DE', timezone: 'Europe/Berlin' },
    { kind: 'venue', external_id: 'v', name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    { kind: 'genre', external_id: 'g', name: 'Techno' },
    { kind: 'label', external_id: 'l', name: 'Klockworks', artists: [{ name: 'Vera' }, { name: 'Orrin' }] },
    night('1', { timezone: undefined, genres: ['Techno'] }),
  ]);
  await set(
    sqlite,
    'venue/kornspeicher',
    'city=Wien',
    'country=AT',
    'latitude=48.2',
    'address=Weg 1',
    'name=Kornspeicher 2',
  );
  const event = getEvent(sqlite);
  assert.deepEqual(
    [event.venue.name, event.city.name, event.venue.country],
    ['Kornspeicher 2', 'Wien', 'AT'],
  );
  await says(sqlite, 'two', [night('2', { name: 'Other', start_at: '2027-12-11T23:00', end_at: null })]);
  assert.equal(
    getEvent(sqlite, 'other-2027-12-11').venue.slug,
    'kornspeicher',
    'the place that sources state leads here',
  );
  await assert.rejects(set(sqlite, 'venue/kornspeicher', 'latitude=148'), /latitude must be 90 or less/);
  await assert.rejects(set(sqlite, 'venue/kornspeicher', 'city='), /city cannot be empty/);
  await set(sqlite, 'city/hamburg', 'timezone=Europe/London', 'alias+=Hammaburg');
  assert.equal(ask(sqlite, 'getCity', { slug: 'hamburg' }).timezone, 'Europe/London');
  await set(sqlite, 'genre/techno', 'name=TECHNO', 'description=Four to the floor.');
  assert.equal(getEvent(sqlite).genres[0].name, 'TECHNO');
  await assert.rejects(
    set(sqlite, 'genre/techno', 'parent=Techno'),
    /cannot be its own|is this genre itself/,
  );
  await set(sqlite, 'label/klockworks', 'artist-=Orrin', 'artist+=Ben Klock', 'founded_year=2006');
  const roster = ask(sqlite, 'listLabelArtists', { slug: 'klockworks' }).map(
    (one: { name: string }) => one.name,
  );
  assert.deepEqual(roster.sort(), ['Ben Klock', 'Vera']);
  assertSound(sqlite);
});

test('a record known by name only keeps its name for imports', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1', { festival: { festival: { name: 'Dekmantel' }, edition: '2027' } })]);
  await set(sqlite, 'artist/orrin', 'country=GB', 'name=Orrin Blue');
  await set(sqlite, 'venue/kornspeicher', 'capacity=300');
  await set(sqlite, 'city/hamburg', 'timezone=Europe/Berlin');
  await set(sqlite, 'festival/dekmantel/editions/2027', 'description=Back in the woods.');
  assert.deepEqual(actsOf(sqlite), ['Vera Lindt', 'Orrin Blue']);
  await says(sqlite, 'two', [artist('7', { name: 'Orrin', country: 'IE', aliases: [], links: [] })]);
  await says(sqlite, 'one', [night('1', { lineup: [{ name: 'Orrin' }, { name: 'Marta' }] })]);
  assert.deepEqual(actsOf(sqlite), ['Orrin Blue', 'Marta']);
  assert.equal(getArtist(sqlite, 'orrin').country, 'GB');
  assert.equal(ask(sqlite, 'listArtists').length, 3);
  assert.equal(ask(sqlite, 'listCities').length, 1);
  assert.equal(ask(sqlite, 'getVenue', { slug: 'kornspeicher' }).capacity, 300);
  const edition = ask(sqlite, 'getFestivalEdition', { slug: 'dekmantel', edition: '2027' });
  assert.equal(edition.description, 'Back in the woods.');
  assert.deepEqual(
    getEvent(sqlite).sources.map((one: { name: string }) => one.name),
    ['one'],
  );
  assertSound(sqlite);
});

test('edits follow their source record through merge and split', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1')]);
  await says(sqlite, 'two', [
    night('2', { name: 'Friday Party', start_at: '2027-12-10T22:00', end_at: null }),
  ]);
  const other = 'friday-party-2027-12-10';
  await set(sqlite, `event/${other}`, 'minimum_age=18');
  const corrections = new Corrections(sqlite, matchingNow, undefined, 'terminal:ada');
  const merged = await corrections.merge(`event/${slug}`, `event/${other}`);
  assert.equal(getEvent(sqlite).minimum_age, 18);
  await set(sqlite, `event/${other}`, 'status=postponed');
  assert.equal(getEvent(sqlite).status, 'postponed', 'a merged slug leads to the survivor');
  await new Corrections(sqlite, matchingNow).split(merged.record.id, merged.undo.slice(2));
  assert.deepEqual([getEvent(sqlite, other).minimum_age, getEvent(sqlite).minimum_age], [18, null]);
  assertSound(sqlite);
});

test('edits of a merged record stay with the record that stays', async (t) => {
  for (const isNamed of [true, false]) {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', [night('1', { name: 'Club Night', venue: { ...place.venue, name: 'Nord' } })]);
    await says(sqlite, 'two', [night('2', { name: 'Friday Party', lineup: [{ name: 'Quil' }] })]);
    const corrections = new Corrections(sqlite, matchingNow, undefined, 'terminal:ada');
    // The other source stands first while both are one.
    const [kept, left] = ['event/friday-party-2027-12-04', 'event/club-night-2027-12-04'];
    const { undo } = await corrections.merge(kept, left);
    await set(sqlite, kept, 'status=cancelled');
    await set(sqlite, kept, 'minimum_age=18');
    await corrections.split(kept, isNamed ? undo.slice(2) : []);
    const statesOf = (slug: string) => {
      const { status, minimum_age } = getEvent(sqlite, slug.slice('event/'.length));
      return [status, minimum_age];
    };
    assert.deepEqual(statesOf(kept), ['cancelled', 18]);
    assert.deepEqual(statesOf(left), [null, null]);
    assertSound(sqlite);
  }
});

test('a record by hand is matched, found again, and taken back', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1')]);
  const edits = editsOf(sqlite);
  const fields = (...texts: string[]) => texts.map(parseChange);
  const known = await edits.add(
    'event',
    fields(
      'name=Tiefdruck',
      'start_at=2027-12-04T23:00',
      'venue=venue/kornspeicher',
      'artist=artist/orrin',
      'minimum_age=18',
    ),
  );
  const [first] = known.records;
  assert.deepEqual([first?.outcome, first?.record.slug], ['matched', slug]);
  assert.deepEqual(
    getEvent(sqlite).sources.map((one: { name: string }) => one.name),
    ['editors', 'one'],
  );
  assert.equal(getEvent(sqlite).minimum_age, 18);
  assertSound(sqlite);
  await edits.undo(first?.audit_id as number);
  assert.equal(getEvent(sqlite).minimum_age, null);
  assert.equal(getEvent(sqlite).sources.length, 1);
  assertSound(sqlite);

  const made = await edits.add(
    'event',
    fields(
      'name=Sommernacht',
      'start_at=2027-07-10T22:00',
      'venue=Kornspeicher',
      'city=Hamburg',
      'country=DE',
      'artist=Vera',
      'artist=Tyler, The Creator',
      'genre=techno, house',
    ),
  );
  const own = made.records[0]?.record.slug as string;
  assert.deepEqual([made.records[0]?.outcome, own], ['created', 'sommernacht-2027-07-10']);
  assert.deepEqual(actsOf(sqlite, own), ['Vera', 'Tyler, The Creator']);
  assert.deepEqual(
    getEvent(sqlite, own).genres.map((one: { name: string }) => one.name),
    ['house', 'techno'],
  );
  assert.equal(getEvent(sqlite, own).venue.slug, 'kornspeicher');
  await assert.rejects(
    edits.undo(made.records[0]?.audit_id as number),
    /cratebase delete event\/sommernacht-2027-07-10/,
  );
  await says(sqlite, 'two', [
    night('9', {
      name: 'Sommernacht',
      start_at: '2027-07-10T22:00',
      end_at: null,
      lineup: [{ name: 'Vera' }],
    }),
  ]);
  assert.equal(getEvent(sqlite, own).sources.length, 2, 'a source that lists it later finds it');
  const before = ask(sqlite, 'listEvents').length;
  for (const [pattern, kind, ...texts] of [
    [/start_at is missing. Nothing was added/, 'event', 'name=x'],
    [/An event has no field "foo". Fields: .*start_at/, 'event', 'name=x', 'start_at=2027-01-01', 'foo=1'],
    [/end_at .* is before start_at/, 'event', 'name=x', 'start_at=2027-01-02', 'end_at=2027-01-01'],
    [/Unknown kind "gig"/, 'gig', 'name=x'],
    [/name is given twice/, 'artist', 'name=x', 'name=y'],
    [/There is no artist "artist\/nobody"/, 'event', 'name=x', 'start_at=2027-01-02', 'artist=artist/nobody'],
    [/placeholder, not the name of an artist/, 'artist', 'name=Special Guests'],
  ] as [RegExp, string, ...string[]][])
    await assert.rejects(async () => edits.add(kind, fields(...texts)), pattern);
  await assert.rejects(
    edits.addRecords([{ kind: 'genre', name: 'Electro' }, { kind: 'genre' }]),
    /Record 2: name is missing. Nothing was added/,
  );
  assert.equal(ask(sqlite, 'listEvents').length, before);
  assert.ok(!ask(sqlite, 'listGenres').some((one: { name: string }) => one.name === 'Electro'));
  const { records } = await edits.addRecords([
    { kind: 'genre', external_id: 'e', name: 'Electro' },
    { kind: 'festival', name: 'Dekmantel', country: 'NL' },
    { kind: 'edition', festival: { name: 'Dekmantel' }, edition: 2027, start_at: '2027-08-04' },
    { kind: 'podcast', name: 'Ruhr' },
    { kind: 'episode', podcast: { name: 'Ruhr' }, name: 'Ruhr 1', tracklist: [{ title: 'A' }] },
    {
      kind: 'label',
      name: 'Klockworks',
      artists: Array.from({ length: 300 }, (_, at) => ({ name: `Act ${at}` })),
    },
    { kind: 'city', name: 'Utrecht', country: 'NL' },
    { kind: 'venue', name: 'Tivoli', city: 'Utrecht', country: 'NL' },
    { kind: 'artist', name: 'Ben Klock' },
  ]);
  assert.deepEqual([...new Set(records.map(({ outcome }) => outcome))], ['created']);
  assert.equal(records.length, 9);
  await edits.addRecords([{ kind: 'genre', external_id: 'e', name: 'Electro', description: 'Changed.' }]);
  assert.equal(ask(sqlite, 'getGenre', { slug: 'electro' }).description, 'Changed.');
  assertSound(sqlite);
});

test('a record by hand names others of its name, unless its time tells it apart', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    { kind: 'artist', external_id: 'v', name: 'Nôra', country: 'FR' },
    { kind: 'artist', external_id: 'a', name: 'DJ Else', country: 'JP', aliases: ['Nora'] },
    { kind: 'label', external_id: 'l', name: 'Nora' },
  ]);
  const edits = editsOf(sqlite);
  const add = async (kind: string, ...texts: string[]) => {
    const [added] = (await edits.add(kind, texts.map(parseChange))).records;
    return { slug: added?.record.slug, namesakes: added?.namesakes.map((one) => `${one.kind}/${one.slug}`) };
  };
  assert.deepEqual(await add('artist', 'name=nora', 'country=DE'), {
    slug: 'nora-de',
    namesakes: ['artist/nora', 'artist/dj-else'],
  });
  const again = await add('artist', 'name=nora', 'country=DE');
  assert.deepEqual(again.namesakes, ['artist/nora', 'artist/dj-else', 'artist/nora-de']);
  await new Removals(sqlite, { now: matchingNow, actor: 'terminal:ada' }).hide('artist/dj-else');
  assert.deepEqual((await add('artist', 'name=Nora', 'country=US')).namesakes, [
    'artist/nora',
    'artist/nora-de',
    `artist/${again.slug}`,
  ]);
  assert.deepEqual((await add('event', 'name=Nora', 'start_at=2027-12-04')).namesakes, []);
  assert.deepEqual((await add('event', 'name=Nora', 'start_at=2028-12-04')).namesakes, []);
  assertSound(sqlite);
});

test('a record by hand that was removed before is refused, with the command that brings it back', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('k')]);
  await new Removals(sqlite, { now: matchingNow, actor: 'terminal:ada' }).delete('artist/ben-klock');
  const add = () => editsOf(sqlite).add('artist', ['name=Ben Klock', 'genre=techno'].map(parseChange));
  await assert.rejects(
    add(),
    /artist\/ben-klock is deleted\. Bring it back with `cratebase undelete artist\/ben-klock`/,
  );
  assert.equal(
    sqlite.prepare("SELECT count(*) FROM source_records WHERE external_id <> 'k'").pluck().get(),
    0,
  );
  const lines = ['Brand New', 'Newer', 'Ben Klock', 'Newest'].map((name) => ({ kind: 'artist', name }));
  const lastId = () => sqlite.prepare('SELECT max(id) FROM audit_log').pluck().get() as number;
  await assert.rejects(editsOf(sqlite).addRecords(lines.slice(1)), (failure: Failure) => {
    assert.ok(
      failure.message.endsWith(
        `It was not added. 1 record before it was added (undo: cratebase undo ${lastId()}).`,
      ),
      failure.message,
    );
    assert.equal(failure.details.code, 'added_removed');
    return true;
  });
  await assert.rejects(editsOf(sqlite).addRecords(lines), (failure: Failure) => {
    const undo = [lastId() - 1, lastId()].map((id) => `cratebase undo ${id}`).join(', ');
    return failure.message.endsWith(` 2 records before it were added (undo: ${undo}).`);
  });
  assert.equal(getArtist(sqlite, 'brand-new').name, 'Brand New');
  assertSound(sqlite);
});

test('a line of an export that reports a removal names the command for it', async (t) => {
  const sqlite = freshFile(t);
  for (const [change, command] of [
    ['merged', 'merge'],
    ['deleted', 'delete'],
    ['hidden', 'hide'],
  ]) {
    const line = { kind: 'artist', external_id: 'a', change, into: change === 'merged' ? 'b' : null };
    await assert.rejects(editsOf(sqlite).addRecords([line]), {
      message: `change "${change}" cannot be added; use \`cratebase ${command}\`. Nothing was added.`,
    });
  }
});

test('history has edits and decisions with values, and undo reverses each', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1')]);
  await says(sqlite, 'two', [artist('2', { name: 'Marta Kehl', aliases: [], links: [] })]);
  const record = 'artist/ben-klock';
  const first = await set(sqlite, record, 'country=FR');
  const second = await editsOf(sqlite, 'grace').set(record, [parseChange('country=NL')], {
    reason: 'he moved',
  });
  await assert.rejects(
    editsOf(sqlite).undo(first.audit_id as number),
    /country of artist\/ben-klock changed again by terminal:grace since entry \d+. Repeat the command with --force/,
  );
  assert.equal(getArtist(sqlite).country, 'NL');
  await editsOf(sqlite).undo(second.audit_id as number);
  assert.equal(getArtist(sqlite).country, 'FR');
  await assert.rejects(editsOf(sqlite).undo(second.audit_id as number), /is undone already, by entry \d+/);
  await editsOf(sqlite).undo(first.audit_id as number);
  assert.equal(getArtist(sqlite).country, 'US');
  assert.equal(sqlite.prepare('SELECT count(*) FROM edits').pluck().get(), 0);
  await says(sqlite, 'one', [artist('1', { country: 'GB' })]);
  const corrections = new Corrections(sqlite, matchingNow, undefined, 'terminal:ada');
  await corrections.merge(record, 'artist/marta-kehl');
  const history = editsOf(sqlite).history(record);
  assert.deepEqual(
    history.map(({ action }) => action),
    ['record.merge', 'updated', 'record.undo', 'record.undo', 'record.edit', 'record.edit', 'created'],
    JSON.stringify(history),
  );
  const edited = history.find(({ id }) => id === second.audit_id);
  assert.deepEqual(
    [edited?.before, edited?.after, edited?.actor, edited?.reason],
    [{ country: 'FR' }, { country: 'NL' }, 'terminal:grace', 'he moved'],
  );
  assert.ok(edited?.undone_by);
  assert.deepEqual(history[1]?.fields, ['country'], 'the change by the import');
  await assert.rejects(editsOf(sqlite).undo(4_711), /There is no entry 4711/);
  assertSound(sqlite);
});

test('undo reverses decisions about pairs by the actions that are registered', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1')]);
  await says(sqlite, 'two', [
    night('2', { name: 'Friday Party', start_at: '2027-12-10T22:00', end_at: null }),
  ]);
  const app = openApp({ data: sqlite.name, create: false, clock: frozenClock(matchingNow) });
  t.after(() => app.close());
  const [a, b] = [`event/${slug}`, 'event/friday-party-2027-12-10'];
  const corrections = await app.corrections(undefined, 'terminal:ada');
  const edits = await app.edits('account:grace@example.com');
  const count = () => ask(sqlite, 'listEvents').length;
  const merged = await corrections.merge(a, b);
  assert.equal(count(), 1);
  await edits.undo(merged.audit_id as number);
  assert.equal(count(), 2);
  await assert.rejects(edits.undo(merged.audit_id as number), /undone already/);
  const apart = await corrections.neverMerge(a, b);
  await assert.rejects(corrections.merge(a, b), /separate records/);
  await edits.undo(apart.audit_id as number);
  await corrections.merge(a, b);
  const split = await corrections.split(a, []);
  assert.equal(count(), 2);
  await edits.undo(split.audit_id as number);
  assert.equal(count(), 1);
  const log = app.auditLog().list({ action: 'record.', limit: 100 });
  assert.deepEqual([...new Set(log.map(({ actor }) => actor))].sort(), [
    'account:grace@example.com',
    'terminal:ada',
  ]);
  assert.ok(edits.history(a).some(({ action }) => action === 'record.never-merge'));
  assertSound(sqlite);
});

test('names in any script, and values that are no names', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1')]);
  const record = 'artist/ben-klock';
  for (const name of ['電気グルーヴ 🎛️', 'Ғарифулла', 'שלום', '[a:rpia:r]']) {
    await set(sqlite, record, `name=${name}`, `alias+=${name}!`);
    assert.equal(getArtist(sqlite).name, name);
    assertSound(sqlite);
  }
  await set(sqlite, record, 'name=Ben\u0007\u202e Klock\r\nEvil');
  assert.equal(getArtist(sqlite).name, 'Ben Klock Evil');
  await assert.rejects(set(sqlite, record, `name=${'x'.repeat(10_000)}`), /longer than 1,000 characters/);
  await assert.rejects(set(sqlite, record, 'name=\u0001'), /must not be empty|cannot be empty/);
  await assert.rejects(set(sqlite, record, 'contry=FR'), /no field "contry". Fields: name, country/);
  await assert.rejects(set(sqlite, record, 'country=Germany'), /ISO 3166-1/);
  await assert.rejects(set(sqlite, record, 'country+=DE'), /one value, not a list/);
  await assert.rejects(set(sqlite, record, '__proto__=1'), /no field/);
  assert.throws(() => parseChange('country'), /is not FIELD=VALUE/);
  assert.equal(sqlite.prepare("SELECT count(*) FROM edits WHERE field = 'country'").pluck().get(), 0);
});

test('two editors at once: the second one learns of the first', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1')]);
  const record = 'artist/ben-klock';
  const change = (value: string) => [{ field: 'country', operation: 'set' as const, value }];
  await editsOf(sqlite, 'ada').set(record, change('FR'), { expected: { country: 'US' } });
  await assert.rejects(
    editsOf(sqlite, 'grace').set(record, change('NL'), { expected: { country: 'US' } }),
    /country was changed by terminal:ada at 2026-11-20T12:00:00Z, from "US" to "FR"/,
  );
  assert.equal(getArtist(sqlite).country, 'FR');
  const { fields } = editsOf(sqlite).fields(record);
  const expected = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  await editsOf(sqlite, 'grace').set(record, change('NL'), { expected });
  const state = editsOf(sqlite)
    .fields(record)
    .fields.find(({ name }) => name === 'country');
  assert.deepEqual(state, {
    name: 'country',
    type: 'country',
    is_list: false,
    is_required: false,
    choices: [],
    value: 'NL',
    source_value: 'US',
    owner: { source: 'one', external_id: '1' },
    is_derived: false,
    derived_from: null,
    edit: { by: 'terminal:grace', at: '2026-11-20T12:00:00Z', is_set: true, added: [], removed: [] },
  });
});

test('an export carries edited values into a new file', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [artist('1'), night('1')]);
  await set(sqlite, 'artist/ben-klock', 'country=FR', 'alias-=Klock', 'image_url=https://x.example/a.jpg');
  await set(sqlite, `event/${slug}`, 'artist-=Orrin', 'venue=Kater Blau', 'start_at=2027-12-04T22:00');
  const lines = [...exportLines(sqlite, { since: 0 })].flat().map((line) => JSON.parse(line) as object);
  const copy = freshFile(t);
  await says(copy, 'copy', lines);
  const { country, aliases, image_url } = getArtist(copy);
  assert.deepEqual([country, aliases, image_url], ['FR', ['Ben Clock'], 'https://x.example/a.jpg']);
  assert.deepEqual(actsOf(copy), ['Vera Lindt']);
  assert.equal(getEvent(copy).venue.name, 'Kater Blau');
  assert.equal(getEvent(copy).start_at, '2027-12-04T22:00:00+01:00');
});

test('a source that comes back finds its edits', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [night('1')]);
  await set(sqlite, `event/${slug}`, 'minimum_age=18');
  // The source moves the show, so that it leaves the record, and back.
  await says(sqlite, 'two', [night('2')]);
  await says(sqlite, 'one', [
    night('1', { name: 'Sommernacht', start_at: '2027-07-04T23:00', end_at: null, lineup: [] }),
  ]);
  const moved = ask(sqlite, 'listEvents').map((one: { slug: string }) => [
    one.slug,
    getEvent(sqlite, one.slug),
  ]);
  const ages = moved.map(([, one]: [string, { minimum_age: number | null; sources: { name: string }[] }]) => [
    one.sources.map(({ name }) => name).join('+'),
    one.minimum_age,
  ]);
  assert.deepEqual(
    ages.sort(),
    [
      ['one', 18],
      ['two', null],
    ],
    'the edit is anchored at the source record of "one"',
  );
  assertSound(sqlite);
});

for (const kind of ['genre', 'label'] as const)
  test(`a ${kind} is merged with the one above it once it has another parent`, async (t) => {
    const sqlite = freshFile(t);
    const parent = (name: string) => (kind === 'genre' ? name : { name });
    const lines = ['Zwirn', 'Garn', 'Faden', 'Wolle'].map((name) => ({ kind, external_id: name, name }));
    await says(sqlite, 'one', lines);
    await says(sqlite, 'one', [
      ...lines.slice(0, 1),
      { ...lines[1], parent: parent('Zwirn') },
      { ...lines[2], parent: parent('Garn') },
      ...lines.slice(3),
    ]);
    const corrections = new Corrections(sqlite, matchingNow);
    const merge = () => corrections.merge(`${kind}/zwirn`, `${kind}/garn`);
    const revision = () => sqlite.prepare('SELECT revision FROM catalogue').pluck().get();
    const before = revision();
    await assert.rejects(merge(), /one is below the other.*cratebase edit/);
    assert.equal(revision(), before, 'nothing changed');
    await set(sqlite, `${kind}/garn`, 'parent=Wolle');
    await merge();
    const tables = { genre: 'genres', label: 'labels' };
    const parentOf = sqlite.prepare(
      `SELECT p.name FROM ${tables[kind]} r JOIN ${tables[kind]} p ON p.id = r.parent_id WHERE r.slug = 'zwirn'`,
    );
    assert.equal(parentOf.pluck().get(), 'Wolle');
    assertSound(sqlite);
  });
