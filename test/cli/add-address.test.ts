/** `cratebase add URL`: sites under their own addresses, from the question to the events. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Ended, folder, run, start } from '../support/cli-run.ts';
import { type RecordedWeb, startWeb } from '../support/recorded-web.ts';
import { floatingCalendar, sites } from '../support/sites.ts';
import { serve } from '../support/source-server.ts';

const webFolder = folder();
let web: RecordedWeb;
before(async () => {
  web = await startWeb(sites, webFolder);
});
after(() => web.stop());

/** A data file of its own, and commands on it. */
function place() {
  const cwd = folder();
  const cratebase = (...args: string[]): Promise<Ended> =>
    run([...args, '--data', 'own.db'], { cwd, env: { ...web.env, CRATEBASE_TICKETMASTER_KEY: 'my-key' } });
  const json = async (...args: string[]) => {
    const ended = await cratebase(...args, '--json');
    assert.equal(ended.status, 0, ended.stderr);
    return JSON.parse(ended.stdout);
  };
  return { cratebase, json };
}

describe('add URL', () => {
  test('texts of a source do not control the terminal', async (context) => {
    const escapes = '\u001b]0;PWN\u0007\u001b[2J\u009b31m\u202e';
    const body = `name,date,venue,city\nNight,2030-05-01,Barn,Berlin\nBad,${escapes},Barn,Berlin\n`;
    const address = `${await serve(context, (_, response) => {
      response.setHeader('content-type', 'text/csv').end(body);
    })}/a.csv`;
    const { cratebase } = place();
    const allow = ['--fetch-allow', '127.0.0.0/8'];
    const preview = ['sources', 'preview', '--type', 'csv', '--url', address, ...allow];
    for (const args of [['add', address, ...allow], ['add', address, '--dry-run', ...allow], preview]) {
      const { stdout, stderr } = await cratebase(...args);
      assert.match(`${stdout}${stderr}`, /has a date that cannot be read: .*PWN/, args.join(' '));
      assert.doesNotMatch(`${stdout}${stderr}`, /(?!\n)[\p{Cc}\u202e]/u, args.join(' '));
    }
    const json = await cratebase(...preview, '--json');
    assert.doesNotMatch(json.stdout, /(?!\n)\p{Cc}/u);
    assert.ok(JSON.parse(json.stdout).rejected[0].reason.includes('\u009b31m'));
  });

  test('shows the next events as they would appear, and adds nothing without an answer', async () => {
    const { cratebase, json } = place();
    const dry = await cratebase(
      'add',
      'https://firenze.example/',
      '--dry-run',
      '--option',
      'timezone=Europe/Rome',
    );
    assert.equal(dry.status, 0, dry.stderr);
    assert.match(
      dry.stdout,
      /^https:\/\/firenze\.example\/ is Gancio \(type gancio, timezone=Europe\/Rome\): \d+ events?, \d+ other records?( so far)?, \d+ requests?\n/,
    );
    assert.match(dry.stdout, /\n2030-05-03 22:00 +Serata 1 +Officina Nove +\S.* +new\n/);
    assert.match(dry.stdout, /1 record rejected, such as .*: has no start/);
    assert.match(dry.stdout, /\ndry run: nothing was added\n$/);
    const asked = await cratebase('add', 'https://firenze.example/');
    assert.deepEqual([asked.status, asked.stdout], [2, '']);
    assert.match(asked.stderr, /Add it as the source firenze\.example\? Add --yes to confirm\./);
    const added = await cratebase('add', 'https://club.example/', '--yes', '--name', 'club');
    assert.match(added.stdout, /^added club\nto read it now, run: cratebase sync club --data own\.db\n$/);
    assert.deepEqual(
      (await json('sources', 'list')).data.map((source: { name: string; type: string; url: string }) => [
        source.name,
        source.type,
        source.url,
      ]),
      [['club', 'ical', 'https://club.example/events.ics']],
    );
    assert.equal((await cratebase('sync', 'club')).status, 0);
    assert.equal((await json('search', 'klubnacht')).data.length, 1);
  });

  test('says which of its events the catalogue has', async () => {
    const { cratebase, json } = place();
    await json('add', 'https://club.example/events.ics', '--yes', '--name', 'club');
    await json('sync', 'club');
    const address = 'https://app.ticketmaster.com/discovery/v2/events.json?city=Berlin';
    const result = await json('add', address, '--dry-run');
    assert.equal(result.found.type, 'ticketmaster');
    assert.equal(result.records[0].is_known, true);
    assert.ok(result.matches.some(({ kind }: { kind: string }) => kind === 'event'));
    const shown = await cratebase('add', address, '--dry-run');
    assert.match(shown.stdout, /joins klubnacht/);
    assert.match(shown.stdout, /The catalogue has already: .*1 event/);
    assert.doesNotMatch(shown.stdout + shown.stderr, /my-key/);
  });

  test('shows a festival with its days, acts and sets', async () => {
    const { cratebase, json } = place();
    const address = 'https://festival.example/feed.ndjson';
    const shown = await cratebase('add', address, '--dry-run');
    assert.equal(shown.status, 0, shown.stderr);
    assert.match(shown.stdout, /\(type feed\): 1 festival edition, 1 other record, 1 request\n/);
    assert.match(shown.stdout, /\n2030-07-19 +2030-07-21 +Uferfest 2030 +– +Berlin +2 +2 +new\n/);
    const { preview } = await json('add', address, '--yes', '--name', 'festival');
    assert.deepEqual(preview.kinds, { edition: 1 });
    const [{ acts, sets, start_at, end_at }] = preview.kept;
    assert.deepEqual([acts, sets, start_at, end_at], [2, 2, '2030-07-19T12:00', '2030-07-21T23:00']);
    await json('sync', 'festival');
    const again = await cratebase('add', address, '--dry-run', '--name', 'again', '--type', 'feed');
    assert.match(
      again.stdout,
      /Uferfest 2030 +– +Berlin +2 +2 +joins uferfest\n|Uferfest 2030 .* joins \S+\n/,
    );
  });

  test('shows a date alone without a clock time, and asks for the cities of events only', async () => {
    const { stdout } = await place().cratebase('add', 'https://dates.example/feed.ndjson', '--dry-run');
    assert.match(stdout, /: 1 event, 1 episode, 1 other record, 1 request\n/);
    assert.match(stdout, /\n2030-08-01 +Tagtanz +– +Berlin +–? +new\n/);
    assert.doesNotMatch(stdout, /00:00|without a city/);
  });

  test('asks for the place and time zone of a calendar that has none, and then shows the clock time', async () => {
    const { cratebase, json } = place();
    const address = 'https://floating.example/club.ics';
    const { stdout } = await cratebase('add', address, '--dry-run');
    assert.match(stdout, /\n2030-05-03 +Schwebende Nacht /);
    assert.match(stdout, /\n1 event without a city: add --option city=CITY country=CODE venue=NAME\.\n/);
    assert.match(
      stdout,
      /\n1 event with a clock time of an unknown time zone, so only the date is shown: name the city as above, or add --option timezone=AREA\/CITY, such as Europe\/Berlin\.\n/,
    );
    for (const options of [['city=Berlin', 'country=DE'], ['timezone=Europe/Berlin']]) {
      const placed = await json('add', address, '--dry-run', '--option', ...options);
      assert.equal(placed.records[0].start_at.slice(0, 16), '2030-05-03T23:00', options.join());
      assert.equal(placed.without_zone, 0);
    }
  });

  test('names the acts that events would lose to a source with a shorter line-up, and keeps them as it says', async () => {
    const { cratebase, json } = place();
    const artists = async () =>
      (await json('show', 'event', 'lange-nacht-2030-05-04')).lineup.map(
        ({ name }: { name: string }) => name,
      );
    await json('add', 'https://lineups.example/club.ndjson', '--yes', '--name', 'club');
    await json('sync', 'club');
    assert.deepEqual(await artists(), ['Ann Example', 'Bob Beispiel', 'Cy Muster']);
    const { stdout } = await cratebase('add', 'https://lineups.example/seller.ndjson', '--dry-run');
    assert.match(
      stdout,
      /\n1 event would lose acts: .*\n {2}2030-05-04 Lange Nacht: Bob Beispiel, Cy Muster\nTo keep an act whatever sources state, add it: cratebase edit event\/lange-nacht-2030-05-04 'artist\+=Bob Beispiel'\n/,
    );
    assert.equal((await cratebase('edit', 'event/lange-nacht-2030-05-04', 'artist+=Bob Beispiel')).status, 0);
    await json('add', 'https://lineups.example/seller.ndjson', '--yes', '--name', 'seller');
    await json('sync', 'seller');
    assert.deepEqual(await artists(), ['Ann Example', 'Bob Beispiel']);
  });

  test('the command that it prints for a private host reads the source', async (t) => {
    const cwd = folder();
    // Without the settings that let the other tests read their sites.
    const cratebase = (...args: string[]): Promise<Ended> =>
      run([...args, '--data', 'own.db'], { cwd, env: {} });
    const url = await serve(t, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(floatingCalendar);
    });
    const added = await cratebase(
      'add',
      `${url}/club.ics`,
      '--yes',
      '--name',
      'club',
      '--fetch-allow',
      '127.0.0.1',
    );
    assert.equal(added.status, 0, added.stderr);
    const [, command = ''] =
      /\nto read it now, run: cratebase (.*) --data own\.db(?= )/.exec(added.stdout) ?? [];
    assert.match(
      added.stdout,
      /\nto read it now, run: cratebase sync club --data own\.db --fetch-allow (\S+)\na service reads it if it is started with --fetch-allow \1\n$/,
    );
    const [, allow = ''] = /--fetch-allow (\S+)/.exec(added.stdout) ?? [];
    assert.notEqual((await cratebase(...command.split(' '))).status, 0);
    const read = await cratebase(...command.split(' '), '--fetch-allow', allow);
    assert.equal(read.status, 0, read.stderr);
  });

  test('says that events are over only as far as they were read', async () => {
    const { cratebase, json } = place();
    const old = 'https://archive.example/old.ndjson';
    assert.match(
      (await cratebase('add', old, '--dry-run')).stdout,
      /\nNone of its events is to come\. These were the latest:\n\n.*\n2012-11-22 /,
    );
    const all = 'https://archive.example/all.ndjson';
    const { stdout } = await cratebase('add', all, '--dry-run');
    assert.match(
      stdout,
      /\nThe first 500 events of this source are over\. The rest is read when the source is added\./,
    );
    assert.doesNotMatch(stdout, /None of its events/);
    const over = [];
    for (const address of [old, all]) over.push((await json('add', address, '--dry-run')).are_over);
    assert.deepEqual(over, [true, false]);
  });

  test('says that a running service reads the new source, unless it reads none', async () => {
    const cwd = folder();
    const env = { ...web.env };
    const add = async (name: string, more: string) => {
      const options = ['--yes', '--name', name, '--data', 'served.db'];
      return (await run(['add', `https://club.example/events.ics?${more}`, ...options], { cwd, env })).stdout;
    };
    for (const [more, says] of [
      [[], /^added reads\nthe running service reads it within a minute; /],
      [['--no-sync'], /^added none\nto read it now, run: cratebase sync none --data served\.db\n$/],
    ] as const) {
      const service = start(['serve', '--port', '0', '--empty', '--data', 'served.db', ...more], {
        cwd,
        env,
      });
      try {
        await new Promise<void>((resolve) => {
          service.stdout.on('data', (text) => String(text).includes('listening on') && resolve());
          service.stderr.on('data', (text) => String(text).includes('listening on') && resolve());
        });
        assert.match(await add(more.length === 0 ? 'reads' : 'none', `n=${more.length}`), says);
      } finally {
        const ended = new Promise((resolve) => service.once('exit', resolve));
        service.kill('SIGTERM');
        await ended;
      }
    }
  });

  test('says that a calendar lists nothing now', async () => {
    const { cratebase } = place();
    const { status, stdout } = await cratebase('add', 'https://quiet.example/events.ics', '--dry-run');
    assert.equal(status, 0);
    assert.equal(
      stdout,
      `https://quiet.example/events.ics is a calendar (type ical): 0 events, 1 request

It lists nothing now. Added, it is read regularly; what it lists later is imported then.
dry run: nothing was added
`,
    );
  });

  test('says that MusicBrainz names no genre of electronic music, and how to take all', async () => {
    const { cratebase } = place();
    const { stdout } = await cratebase('add', 'https://lists.example/artists.json', '--dry-run');
    assert.match(
      stdout,
      /\nNone of its records has a genre of electronic music\. To take them all, add --option genres=all\.\n/,
    );
    assert.doesNotMatch(stdout, /WOULD BE|none of these/);
    const all = await cratebase(
      ...['add', 'https://lists.example/artists.json', '--dry-run', '--option', 'genres=all'],
    );
    assert.match(all.stdout, /\nartist +Anna Beispiel +new\n/);
  });

  test('says what was tried where nothing is found', async () => {
    const { cratebase } = place();
    const ended = await cratebase('add', 'https://empty.example/', '--yes');
    assert.deepEqual([ended.status, ended.stdout], [1, '']);
    assert.match(
      ended.stderr,
      /^https:\/\/empty\.example\/ lists no events that can be read\.\n {2}events in the page/,
    );
    assert.match(ended.stderr, /\n {2}a sitemap \(https:\/\/empty\.example\/sitemap\.xml\): is not there\n/);
    assert.match(ended.stderr, /\ncratebase: Nothing was added\. Try the page of the programme/);
    const json = await cratebase('add', 'https://empty.example/', '--yes', '--json');
    assert.equal(json.status, 1);
    const { found, tried, added } = JSON.parse(json.stdout);
    assert.deepEqual([found, added, tried.length], [null, null, 4]);
  });

  test('wrong use is reported in one line', async () => {
    const { cratebase, json } = place();
    const refused: [string[], number, RegExp][] = [
      [['add', 'https://ra.co/events'], 1, /without its permission/],
      [['add', 'https://firenze.example/', 'name=x'], 2, /Add one address at a time, without fields/],
      [
        ['add', '127.0.0.1:5111/club.ics'],
        2,
        /no kind of record\. .* Did you mean http:\/\/127\.0\.0\.1:5111\/club\.ics\?/,
      ],
      [['add', 'club.example/events.ics', '--yes'], 2, /Did you mean https:\/\/club\.example\/events\.ics\?/],
      [['add', 'localhost:8000'], 2, /Did you mean http:\/\/localhost:8000\?/],
      [['add', 'artist', 'name=Ann', '--yes'], 2, /--yes is for an address/],
      [['add', 'artist', 'name=Ann', '--dry-run'], 2, /--dry-run is for an address/],
      [['add', 'https://firenze.example/', '--option', 'colour=red'], 2, /has no option colour/],
      [
        ['add', 'https://nowhere.invalid/'],
        1,
        /cratebase: https:\/\/nowhere\.invalid\/ cannot be fetched\. /,
      ],
      [
        ['add', 'http://10.1.2.3/events.ics'],
        1,
        /10\.1\.2\.3\/events\.ics cannot be fetched\. 10\.1\.2\.3 is not a public address\. .* --fetch-allow 10\.1\.2\.3 /,
      ],
    ];
    for (const [args, status, says] of refused) {
      const ended = await cratebase(...args);
      assert.equal(ended.status, status, `${args.join(' ')}: ${ended.stderr}`);
      assert.match(ended.stderr, says);
    }
    await json('add', 'https://firenze.example/', '--yes');
    const twice = await cratebase('add', 'https://firenze.example/', '--yes');
    assert.match(twice.stderr, /There is a source firenze\.example already with this address\. Change it/);
    assert.doesNotMatch(twice.stderr, /START/);
    const named = await cratebase('add', 'https://club.example/', '--name', 'firenze.example', '--yes');
    assert.match(named.stderr, /^cratebase: There is a source firenze\.example already\./m);
    assert.doesNotMatch(named.stderr, /START/, 'before the preview');
  });

  test('a second address of a host has a name of its own', async () => {
    const { json } = place();
    const first = await json('add', 'https://club.example/events.ics', '--yes');
    const second = await json('add', 'https://club.example/events.ics?part=2', '--yes');
    assert.deepEqual([first.added.name, second.added.name], ['club.example', 'club.example-2']);
  });
});
