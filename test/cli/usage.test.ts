/** How the command line is used and misused: exit status, one line that says what to do, no stack trace. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, CommanderError } from 'commander';
import { leavesOf, pathOf } from '../../src/cli/cluster/run.ts';
import { abortOnSignals, exitOnSignals } from '../../src/cli/command.ts';
import { completedCommands } from '../../src/cli/commands/values.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { environment, folder, program, type RunOptions, run } from '../support/cli-run.ts';

const cwd = folder();
writeFileSync(join(cwd, 'junk.db'), 'this is no data file, whatever it is called');
writeFileSync(join(cwd, 'feed.ndjson'), '');
mkdirSync(join(cwd, 'folder'));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

type Case = [args: string, status: number, stdout: RegExp, stderr: RegExp, options?: RunOptions];
const nothing = /^$/;

const cases: Case[] = [
  ['--version', 0, new RegExp(`^${version}\n$`), nothing],
  ['-V', 0, new RegExp(`^${version}\n$`), nothing],
  ['--help', 0, /Usage: cratebase[\s\S]*serve[\s\S]*healthcheck/, nothing],
  ['help serve', 0, /Usage: cratebase serve/, nothing],
  ['', 2, nothing, /Usage: cratebase/],
  ['accounts', 2, nothing, /Usage: cratebase accounts/],
  ['srve', 2, nothing, /^cratebase: unknown command 'srve'; did you mean serve\? see `cratebase --help`\n$/],
  [
    'help srve',
    2,
    nothing,
    /^cratebase: unknown command 'srve'; did you mean serve\? see `cratebase --help`\n$/,
  ],
  [
    'help version',
    2,
    nothing,
    /^cratebase: unknown command 'version'; did you mean --version\? see `cratebase --help`\n$/,
  ],
  [
    'accounts help lst',
    2,
    nothing,
    /^cratebase: unknown command 'lst'; did you mean list\? see `cratebase accounts --help`\n$/,
  ],
  ['accounts help list', 0, /Usage: cratebase accounts list/, nothing],
  ['version', 2, nothing, /^cratebase: unknown command 'version'; did you mean --version\? see/],
  ['accounts json', 2, nothing, /^cratebase: unknown command 'json'(?!; did you mean --)/],
  ['accounts lst', 2, nothing, /did you mean list\? see `cratebase accounts --help`/],
  ['stats --jsn', 2, nothing, /unknown option '--jsn'; did you mean --json\? see `cratebase stats --help`/],
  ['keys create a@b.c', 2, nothing, /required option '--name <name>' not specified/],
  ['accounts show', 2, nothing, /missing required argument 'email'/],
  ['stats extra', 2, nothing, /too many arguments/],
  ['serve --port', 2, nothing, /argument missing/],
  [
    'serve --port abc',
    2,
    nothing,
    /^cratebase: --port must be a whole number from 0 to 65535, not "abc"\.\n$/,
  ],
  ['serve --port 65536', 2, nothing, /--port must be a whole number/],
  ['serve', 2, nothing, /^cratebase: CRATEBASE_PORT must be a whole/, { env: { CRATEBASE_PORT: '-1' } }],
  ['serve', 2, nothing, /CRATEBASE_DEV must be true or false/, { env: { CRATEBASE_DEV: 'maybe' } }],
  ['serve', 2, nothing, /CRATEBASE_DEV must be true or false/, { env: { CRATEBASE_DEV: 'constructor' } }],
  ['serve', 2, nothing, /CRATEBASE_QUOTA works only together with --dev/, { env: { CRATEBASE_QUOTA: '1' } }],
  ['serve', 2, nothing, /TOKEN_FILE names \/none/, { env: { CRATEBASE_METRICS_TOKEN_FILE: '/none' } }],
  [
    'serve --metrics-token=a\tb',
    2,
    nothing,
    /^cratebase: --metrics-token must be a token without spaces\.\n$/,
  ],
  ['serve --base-url example.org', 2, nothing, /--base-url must be an http or https address/],
  ['serve --base-url http://example.org/?x=1', 2, nothing, /--base-url must be/],
  ['serve --base-url http://user:pass@example.org', 2, nothing, /--base-url must be/],
  ['serve --account-url ftp://example.org', 2, nothing, /--account-url must be/],
  ['serve --workers 0', 2, nothing, /--workers must be a whole number from 1 to 64/],
  ['serve --registration maybe', 2, nothing, /--registration must be open, approval or closed/],
  ['serve --fetch-allow 10.0.0.0/33', 2, nothing, /--fetch-allow must be an address or a range/],
  ['serve --fetch-allow intranet', 2, nothing, /--fetch-allow must be/],
  ['serve --host a/b', 2, nothing, /--host must be an address or a host name/],
  ['serve --plan pro', 2, nothing, /--plan works only together with --dev/],
  ['serve --now 2026-11-20T12:00:00Z', 2, nothing, /--now works only together with --dev/],
  ['serve --dev --now 2026-02-30T12:00:00Z', 2, nothing, /--now must be a timestamp with an offset or Z/],
  ['serve --dev --now tomorrow', 2, nothing, /--now must be a timestamp/],
  ['serve --dev --now 2026-11-20', 2, nothing, /--now must be a timestamp/],
  ['serve --dev --plan gold', 2, nothing, /--plan must be free, premium or pro/],
  ['serve --dev --quota 1.5', 2, nothing, /--quota must be a whole number/],
  ['serve --dev --window 0', 2, nothing, /--window must be a whole number, at least 1/],
  [
    'serve --dev --fail 503',
    2,
    nothing,
    /--fail must be a status \(429, 500, 503\) and a fraction, such as 503:0\.1, or 503:every=10/,
  ],
  ['serve --dev --fail 503:1.5', 2, nothing, /--fail must be/],
  ['serve --dev --fail 503:every=0', 2, nothing, /--fail must be/],
  ['serve --dev --fail 503:every=', 2, nothing, /--fail must be/],
  ['serve --dev --fail 200:0.5', 2, nothing, /--fail must be/],
  ['serve --dev --fail 503:0.6 --fail 500:0.6', 2, nothing, /add up to more than 1/],
  ['serve --data folder', 1, nothing, /^cratebase: folder is a folder\. Name a file with --data\.\n$/],
  ['serve --data nowhere/x.db', 1, nothing, /The folder nowhere does not exist/],
  ['serve --data junk.db', 1, nothing, /junk\.db is not a data file/],
  [
    'serve --empty --port 0 --host 203.0.113.77',
    1,
    nothing,
    /203\.0\.113\.77 is not an address of this machine/,
  ],
  ['stats --data missing.db', 1, nothing, /^cratebase: There is no data file at missing\.db\./],
  ['stats', 1, nothing, /junk\.db is not a data file/, { env: { CRATEBASE_DATA: 'junk.db' } }],
  ['stats --data missing.db', 1, nothing, /missing\.db/, { env: { CRATEBASE_DATA: 'junk.db' } }],
  ['accounts list --data missing.db', 1, nothing, /no data file at missing\.db/],
  ['show thing x', 2, nothing, /Unknown kind "thing"\. Use one of event, artist/],
  ['show edition tomorrowland', 2, nothing, /Name an edition by festival and edition/],
  ['search', 2, nothing, /missing required argument 'query'/],
  ['search x --limit 51', 2, nothing, /--limit must be a whole number from 1 to 50/],
  ['sources held x --limit 0', 2, nothing, /--limit must be a whole number from 1 to 99999, not "0"/],
  ['review --limit 101', 2, nothing, /--limit must be a whole number from 1 to 100, not "101"/],
  ['history artist/x --limit many', 2, nothing, /--limit must be a whole number from 1, not "many"/],
  ['forget artist/x --sweep', 2, nothing, /Use either --sweep or an artist/],
  ['backup --dir copies --force', 2, nothing, /--force works only with a file, not together with --dir/],
  ['add https://x.example/ --from x.json', 2, nothing, /--from is for a record, not for an address/],
  ['add https://x.example/ --reason why', 2, nothing, /--reason is for a record, not for an address/],
  ['plans set free --from 2030-01-01', 2, nothing, /--from and --note work only together with --month/],
  ['plans set free --exports on --note x', 2, nothing, /--from and --note work only together with --month/],
  ['export --kind thing', 2, nothing, /Unknown kind "thing"/],
  ['export --since yesterday', 2, nothing, /--since must be a revision/],
  ['import feed.ndjson', 2, nothing, /required option '--source <name>'/],
  ['import none.ndjson --source a', 1, nothing, /The file none\.ndjson does not exist/],
  ['import folder --source a', 1, nothing, /folder is a folder/],
  ['import feed.ndjson --source a --type rss', 2, nothing, /--type is feed, jsonld.* not "rss"/],
  ['import feed.ndjson --source a --trust 101', 2, nothing, /--trust is a whole number from 0 to 100/],
  ['import feed.ndjson --source a --clock utc', 2, nothing, /--clock is instant or local/],
  ['import feed.ndjson --source a --force', 2, nothing, /--force works only together with --complete/],
  ['import - - --source a', 2, nothing, /read only once/],
  [
    'licenses',
    1,
    nothing,
    /^cratebase: Only the executable contains this text\. When run from source, each package has its licence in node_modules/,
  ],
  ['completion tcsh', 2, nothing, /Unknown shell "tcsh"\. Use one of bash, zsh, fish/],
  [
    'healthcheck --port 9',
    1,
    nothing,
    /127\.0\.0\.1:9\/healthz does not answer: no program listens at that port \(ECONNREFUSED\)/,
  ],
  ['restore none.db', 1, nothing, /There is no file none\.db/],
  ['backup copy.db --data missing.db', 1, nothing, /no data file at missing\.db/],
];

describe('usage', { concurrency: 2 }, () => {
  for (const [line, status, stdout, stderr, options] of cases) {
    const env = Object.entries(options?.env ?? {}).map(([name, value]) => `${name}=${value} `);
    test(`${env.join('')}cratebase ${line}`, async () => {
      const args = line === '' ? [] : line.split(' ');
      const ended = await run(args, { cwd, ...options });
      assert.match(ended.stdout, stdout);
      assert.match(ended.stderr, stderr);
      assert.equal(ended.status, status);
      assert.doesNotMatch(ended.stderr, /\n\s+at [^\n]*:\d+:\d+/, 'a stack trace');
      if (!/^Usage:/.test(ended.stderr))
        assert.ok(ended.stderr.split('\n').length <= 2, 'more than one line');
    });
  }
});

/** What `--help` of a command prints, without a process of its own. */
async function helpOf(args: readonly string[]): Promise<string> {
  let text = '';
  const write = (command: Command): void => {
    command.configureOutput({
      writeOut: (piece) => {
        text += piece;
      },
      writeErr: (piece) => assert.fail(piece),
      getOutHelpWidth: () => 80,
    });
    for (const child of command.commands) write(child);
  };
  const root = buildProgram();
  write(root);
  const end = (failure: unknown) => failure instanceof CommanderError && failure.exitCode === 0;
  await assert.rejects(root.parseAsync(['node', 'cratebase', ...args, '--help']), end);
  return text;
}

describe('help', { concurrency: 2 }, () => {
  const commands = [
    'serve accounts keys import sources sync review review-decide review-undo duplicates explain merge split never-merge search show stats export backup',
    'restore verify mcp doctor openapi completion healthcheck install man licenses sources-add sources-list sources-remove',
    'sources-show sources-set sources-preview sources-pause sources-resume sources-runs sources-rejected sources-held',
    'sources-approve sources-reject',
    'accounts-create accounts-list accounts-approve accounts-reject accounts-show accounts-set-plan accounts-set-password accounts-delete',
    'accounts-set-role accounts-suspend accounts-unsuspend accounts-set-limits accounts-operator-link audit',
    'keys-create keys-list keys-revoke',
  ].flatMap((names) => names.split(' '));
  for (const name of commands) {
    const args = /^(accounts|keys|sources|review)-/.test(name) ? name.replace('-', ' ').split(' ') : [name];
    test(`cratebase ${args.join(' ')} --help has examples`, async () => {
      const stdout = await helpOf(args);
      assert.match(stdout, new RegExp(`^Usage: cratebase ${args.join(' ')}`));
      assert.match(stdout, /Examples:\n {2}\$ /);
      assert.match(stdout, /--json/);
    });
  }

  test('a process prints it on standard output and ends with 0', async () => {
    const args = ['accounts', 'set-plan'];
    const { status, stdout, stderr } = await run([...args, '--help'], { cwd });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.equal(stdout, await helpOf(args));
  });

  test('every setting of serve has its variable', async () => {
    const { stdout } = await run(['serve', '--help'], { cwd });
    const text = stdout.replace(/\s+/g, ' ');
    for (const [flag] of stdout.matchAll(/^ {2}--[a-z-]+/gm)) {
      const name = `CRATEBASE_${flag.trim().slice(2).toUpperCase().replaceAll('-', '_')}`;
      if (name !== 'CRATEBASE_JSON') assert.ok(text.includes(`env: ${name})`), name);
    }
  });
});

describe('completion', () => {
  test('bash completes commands, their commands, options, and files', async () => {
    const { stdout } = await run(['completion', 'bash'], { cwd });
    const script = join(cwd, 'completion.bash');
    writeFileSync(script, stdout);
    const { execFileSync } = await import('node:child_process');
    const complete = (words: string[]) =>
      execFileSync('bash', [
        '-c',
        `source ${script}; COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _cratebase; echo "\${COMPREPLY[@]}"`,
      ])
        .toString()
        .trim();
    assert.equal(complete(['cratebase', 'ser']), 'serve');
    assert.equal(complete(['cratebase', 'accounts', 'set']), 'set-plan set-role set-limits set-password');
    assert.equal(complete(['cratebase', '--json', 'keys', 'r']), 'rotate revoke');
    assert.equal(complete(['cratebase', 'import', '--dr']), '--dry-run');
    assert.equal(complete(['cratebase', 'import', '']), '');
    const wrapper = join(cwd, 'cratebase');
    writeFileSync(wrapper, `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, {
      mode: 0o755,
    });
    const data = join(cwd, 'completed.db');
    const feed = ['Ben Klock', 'Ben Sims', 'Dixon'].map((name, id) =>
      JSON.stringify({ kind: 'artist', external_id: String(id), name }),
    );
    await run(['import', '-', '--source', 'a', '--data', data], { cwd, input: `${feed.join('\n')}\n` });
    assert.equal(complete([wrapper, '--data', data, 'show', 'art']), 'artist');
    assert.equal(complete([wrapper, '--data', data, 'show', 'artist', 'ben']), 'ben-klock ben-sims');
    assert.equal(complete([wrapper, '--data', data, 'show', 'artist', 'nobody']), '');
    assert.equal(complete([wrapper, '--data', data, 'explain', 'artist/d']), 'artist/dixon');
    assert.equal(complete([wrapper, '--data', join(cwd, 'none.db'), 'show', 'artist', 'ben']), '');
    await run(['accounts', 'create', 'ada@example.com', '--data', data], { cwd });
    const words = (line: string) => complete([wrapper, '--data', data, ...line.split(' ')]);
    assert.equal(words('accounts suspend a'), 'ada@example.com');
    assert.equal(words('accounts set-role ada@example.com o'), 'operator');
    assert.equal(words('accounts set-plan ada@example.com p'), 'premium pro');
    assert.equal(words('plans set f'), 'free');
    assert.equal(words('settings set na'), 'name=');
  });

  test('every argument that names an account, a plan, a role or a source is completed', () => {
    const named = /^(email|plan|role|name|names|id|record)$/;
    const unnamed = leavesOf(buildProgram())
      .filter((command) => command.registeredArguments.some((argument) => named.test(argument.name())))
      .map((command) => `cratebase ${pathOf(command)}`)
      .filter((path) => !completedCommands.includes(path));
    // The first two create what they name; `undo` takes a number, `places` a place of the world.
    assert.deepEqual(unnamed.sort(), [
      'cratebase accounts create',
      'cratebase places',
      'cratebase sources add',
      'cratebase undo',
    ]);
  });

  test('the manual has every command and option of --help, and is roff without a mistake', async () => {
    const { status, stdout } = await run(['man'], { cwd });
    assert.equal(status, 0);
    assert.match(stdout, /^\.TH CRATEBASE 1/);
    const plain = stdout.replaceAll('\\-', '-');
    for (const word of [
      'cratebase sources add <name>',
      '--dry-run',
      'cratebase keys revoke',
      '--fetch-allow',
      'never-merge',
    ])
      assert.ok(plain.includes(word), word);
    assert.doesNotMatch(plain, /cratebase values/);
  });

  test('readers of manuals have nothing to complain of', async (t) => {
    const { stdout } = await run(['man'], { cwd });
    const page = join(cwd, 'cratebase.1');
    writeFileSync(page, stdout);
    const readers: [string, string[]][] = [
      ['groff', ['-man', '-ww', '-z', '-Kutf8', page]],
      ['mandoc', ['-T', 'lint', '-W', 'warning', page]],
    ];
    const ran = readers
      .map(([name, args]) => spawnSync(name, args, { encoding: 'utf8' }))
      .filter(({ error }) => error === undefined);
    if (ran.length === 0) return t.skip('neither groff nor mandoc is here');
    for (const { status, stdout, stderr } of ran) assert.deepEqual([status, stdout + stderr], [0, '']);
  });

  for (const shell of ['zsh', 'fish']) {
    test(`${shell} gets every command`, async () => {
      const { status, stdout } = await run(['completion', shell], { cwd });
      assert.equal(status, 0);
      for (const word of ['serve', 'set-password', 'dry-run', 'healthcheck'])
        assert.ok(stdout.includes(word), word);
    });
  }
});

/** How a shell is started bare, and has the completion of a file. */
const shells: Record<string, { command: string; load: (file: string) => string }> = {
  bash: { command: 'bash --norc --noprofile -i', load: (file) => `source ${file}` },
  zsh: {
    command: 'zsh -f -i',
    load: (file) => `autoload -U compinit; compinit -u -D; source ${file}`,
  },
  fish: { command: 'fish --no-config -i', load: (file) => `source ${file}` },
};

describe('the Tab key', { skip: isThere('script') ? false : 'needs script(1)' }, () => {
  const bin = join(cwd, 'bin');
  before(async () => {
    mkdirSync(bin);
    const text = `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`;
    writeFileSync(join(bin, 'cratebase'), text, { mode: 0o755 });
    const feed = ['Ben Klock', 'Marcel Dettmann'].map((name, id) =>
      JSON.stringify({ kind: 'artist', external_id: String(id), name }),
    );
    await run(['import', '-', '--source', 'a', '--data', 'tab.db'], { cwd, input: feed.join('\n') });
  });

  /** What is typed, and how the line goes on. */
  const lines: [string, RegExp][] = [
    ['cratebase heal', /cratebase healthcheck /],
    ['cratebase accounts set-pl', /cratebase accounts set-plan /],
    ['cratebase import --dr', /cratebase import --dry-run /],
    ['cratebase stats --data tab', /cratebase stats --data tab\.db /],
    ['cratebase show art', /cratebase show artist /],
    ['cratebase show artist ben', /cratebase show artist ben-klock /],
    ['cratebase --data tab.db show artist mar', /cratebase --data tab\.db show artist marcel-dettmann /],
    ['cratebase explain art', /cratebase explain artist\/(?! )/],
    ['cratebase merge artist/ben-klock artist/m', /artist\/ben-klock artist\/marcel-dettmann /],
  ];

  for (const [shell, { command, load }] of Object.entries(shells)) {
    const skip = isThere(shell) ? false : `${shell} is not here`;
    test(`completes in ${shell}`, { skip, timeout: 120_000 }, async () => {
      const { stdout: file } = await run(['completion', shell], { cwd });
      writeFileSync(join(cwd, `load-me.${shell}`), file);
      const child = spawn('script', ['-qec', `stty cols 200; ${command}`, '/dev/null'], {
        cwd,
        env: environment({
          TERM: 'xterm',
          PATH: `${bin}:${process.env.PATH}`,
          CRATEBASE_DATA: 'tab.db',
          PS1: '@ ',
        }),
      });
      try {
        let shown = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          shown += text;
        });
        const until = async (expected: RegExp, what: string) => {
          for (let tries = 0; tries < 300; tries++) {
            if (expected.test(plain(shown))) return;
            await delay(50);
          }
          assert.fail(`${what}: ${JSON.stringify(plain(shown))}`);
        };
        // Before its prompt a shell may throw away what is typed.
        await until(/[@$%>#] /, 'a prompt');
        child.stdin.write(`${load(`load-me.${shell}`)}; echo load""ed\n`);
        await until(/loaded/, 'the completion');
        for (const [typed, expected] of lines) {
          shown = '';
          child.stdin.write(`${typed}\t`);
          await until(expected, typed);
          // Takes the line away.
          child.stdin.write('\u0015');
        }
      } finally {
        child.kill('SIGKILL');
      }
    });
  }
});

/** What a terminal shows, without what moves and colours. */
const plain = (text: string): string =>
  text.replace(/\p{Cc}(\[[0-9;?>]*[a-zA-Z]|[=>]|\]\P{Cc}*|\([A-Z0-9])/gu, '').replace(/(?!\n)\p{Cc}/gu, '');

function isThere(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

test('signal handlers are replaced without a moment in which none is set', () => {
  exitOnSignals();
  const listeners = process.listeners('SIGTERM');
  assert.equal(listeners.length, 1);
  const signal = abortOnSignals();
  assert.deepEqual(process.listeners('SIGTERM'), listeners);
  assert.equal(signal.aborted, false);
});
