/** What strangers try: with codes, addresses, other people's browsers, and documents at addresses of their choice. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { type Browser, csrfOf, type Seen } from '../support/http-browser.ts';
import { callback, openStage, pkce, type Service, type Stage } from '../support/oauth.ts';

let stage: Stage;
let service: Service;
let person: Browser;
/** A public client with the usual callback. */
let client: string;
before(async () => {
  stage = await openStage({ more: ['--trust-proxy'] });
  service = stage.service;
  person = await service.member('person@example.com');
  client = (await service.register({ client_name: 'App', redirect_uris: [callback] })).client_id;
});
after(() => stage.close());

const grants = () => {
  const file = new Database(stage.dataFile, { readonly: true });
  const found = file.prepare('SELECT count(*) FROM oauth_grants').pluck().get() as number;
  file.close();
  return found;
};
const request = (more: Record<string, string> = {}) =>
  service.authorizeUrl({ client_id: client, code_challenge: pkce().challenge, ...more });
const uidOf = ({ url }: Seen) => url.split('/').at(-1) as string;
const assertOver = ({ status, text }: Seen) => {
  assert.equal(status, 410);
  assert.match(text, /This request is over/);
};
const assertRefused = (seen: Seen) => {
  assert.ok(seen.status >= 400 && seen.status < 500, `${seen.status} ${seen.headers.get('location')}`);
  assert.equal(seen.headers.get('location'), null);
  assert.match(seen.text, /This app cannot be let in/);
};

describe('codes', () => {
  it('are for one time: used again, all that came of it ends', async () => {
    const { code, verifier } = await service.code(person, client);
    const { body } = await service.redeem(client, code, verifier);
    assert.equal((await service.call(String(body.access_token))).status, 200);
    const again = await service.redeem(client, code, verifier);
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
    assert.equal((await service.call(String(body.access_token))).status, 401);
    assert.equal((await service.refresh(client, String(body.refresh_token))).status, 400);
  });

  it('of eight at once, one gets it', async () => {
    const { code, verifier } = await service.code(person, client);
    const all = await Promise.all(Array.from({ length: 8 }, () => service.redeem(client, code, verifier)));
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.ok(all.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'));
  });

  it('are nothing without the verifier, for another client, or another address', async () => {
    const other = await service.register({ redirect_uris: [callback] });
    const { code, verifier } = await service.code(person, client);
    const wrong = [
      await service.redeem(client, code, pkce().verifier),
      await service.redeem(client, code, ''),
      await service.redeem(client, code, verifier.slice(0, 20)),
      await service.redeem(other.client_id, code, verifier),
      await service.redeem(client, code, verifier, { redirect_uri: 'http://127.0.0.1:5600/callback' }),
      await service.redeem(client, `${code}x`, verifier),
    ];
    for (const { status, body } of wrong) {
      assert.equal(status, 400);
      assert.ok(['invalid_grant', 'invalid_request'].includes(String(body.error)), String(body.error));
    }
    assert.equal((await service.redeem(client, code, verifier)).status, 200, 'none of that used it up');
  });

  it('none is given without PKCE by S256', async () => {
    const { challenge, verifier } = pkce();
    const cases: Record<string, string>[] = [
      { code_challenge: '' },
      { code_challenge: verifier, code_challenge_method: 'plain' },
      { code_challenge: challenge, code_challenge_method: '' },
    ];
    for (const parameters of cases) {
      const seen = await person.ask(request(parameters));
      assertRefused(seen);
      assert.match(seen.text, /<code>invalid_request<\/code>/);
    }
    for (const response_type of ['token', 'id_token', 'code token', 'none']) {
      const seen = await person.ask(request({ response_type }));
      assertRefused(seen);
      assert.match(seen.text, /<code>unsupported_response_type<\/code>/);
    }
  });
});

describe('where answers go', () => {
  const tricks = [
    'http://127.0.0.1:5599/callback/',
    'http://127.0.0.1:5599/callback/../other',
    'http://127.0.0.1:5599/callback?x=1',
    'http://127.0.0.1:5599/callback#x',
    'http://127.0.0.1:5599/%63allback',
    'http://127.0.0.1:5599/Callback',
    'http://127.0.0.1:5599@evil.example/callback',
    'http://user@127.0.0.1:5599/callback',
    'http://127.0.0.1.evil.example:5599/callback',
    'http://127.0.0.1:5599.evil.example/callback',
    'http://localhost:5599/callback',
    'http://2130706433:5599/callback',
    'https://127.0.0.1:5599/callback',
    '//evil.example/callback',
    '/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'callback',
    'http://127.0.0.1:5599/callback\r\nX-Injected: 1',
    '',
  ];
  for (const redirect_uri of tricks) {
    it(`${JSON.stringify(redirect_uri)} is none of the client's`, async () => {
      const seen = await person.ask(request({ redirect_uri }));
      if (redirect_uri === '') return assert.ok(seen.status < 500);
      assertRefused(seen);
      assert.equal(seen.headers.get('x-injected'), null);
    });
  }

  it('another port of this machine is', async () => {
    const back = await person.decide(request({ redirect_uri: 'http://127.0.0.1:50123/callback' }));
    assert.equal(back.port, '50123');
    const six = await service.register({ redirect_uris: ['http://[::1]/cb', 'http://localhost/cb'] });
    for (const redirect_uri of ['http://[::1]:1234/cb', 'http://localhost:4321/cb']) {
      const there = await person.decide(request({ client_id: six.client_id, redirect_uri }));
      assert.ok(there.href.startsWith(redirect_uri));
    }
  });

  it('two of them at once are refused', async () => {
    assertRefused(
      await person.ask(`${request()}&redirect_uri=${encodeURIComponent('https://evil.example/')}`),
    );
  });

  const wrong: Record<string, string>[] = [
    { response_type: 'foo' },
    { prompt: 'none' },
    { code_challenge: '' },
    { resource: 'https://other.example/mcp' },
    { response_mode: 'form_post' },
    { response_mode: 'fragment' },
    { response_mode: 'jwt' },
    { request: 'x' },
    { state: 'x'.repeat(2_001) },
    { unknown: 'x'.repeat(8_200) },
  ];
  const places = ['https://evil.example/phish', 'com.example.evil:/cb', callback];
  for (const parameters of wrong) {
    it(`no redirect to an app without consent: ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      const document = `${stage.host.url}/sender`;
      stage.host.documents.set('/sender', {
        body: JSON.stringify({ client_id: document, redirect_uris: places }),
      });
      const registered = (await service.register({ redirect_uris: places })).client_id;
      for (const client_id of [document, registered]) {
        for (const redirect_uri of places) {
          for (const browser of [person, service.person()]) {
            assertRefused(await browser.walk(request({ client_id, redirect_uri, ...parameters })));
          }
        }
      }
    });
  }

  it('the page about an error names the host, and leads there by a link alone', async () => {
    const { client_id } = await service.register({ redirect_uris: ['https://login.app.example/cb'] });
    const seen = await person.ask(
      request({ client_id, redirect_uri: 'https://login.app.example/cb', prompt: 'none' }),
    );
    assert.match(seen.text, /without asking you/);
    assert.match(seen.text, /login\.<wbr\/?><\/span><b>app\.example<\/b>/);
    assert.match(seen.text, /href="https:\/\/login\.app\.example\/cb\?error=login_required/);
    const strange = await person.ask(request({ client_id: 'nobody' }));
    assert.match(strange.text, /The app is not registered here/);
  });

  const taken = [
    'ftp://app.example/cb',
    'ws://app.example/cb',
    'wss://app.example/cb',
    'smb://app.example/cb',
    'ldap://app.example/cb',
    'chrome://settings',
    'view-source:https://app.example/',
    'filesystem:https://app.example/temporary/x',
    'about:blank',
    'blob:https://app.example/x',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'ms-settings:/x',
    'ms-word:/x',
    'search-ms:/query',
    'tel:/123',
    'mailto:a@b.example',
    'sms:/123',
    'intent://x#Intent;end',
    'urn:ietf:wg:oauth:2.0:oob',
    'https://*.app.example/cb',
    'https://app.example/*',
    'https://app.example/a b',
    'https://app.example/\u0001',
    'https://app.example/\u202ecb',
    'https://app.example\\@evil.example/',
    'https://you@app.example/cb',
    'https:app.example/cb',
    'https:/app.example/cb',
    'https:///app.example/cb',
    'http:127.0.0.1/cb',
    'com.example.app:/cb#x',
    `https://app.example/${'x'.repeat(500)}`,
  ];
  for (const address of taken) {
    it(`${JSON.stringify(address).slice(0, 60)} can neither be registered nor stand in a document`, async () => {
      const metadata = { client_name: 'App', redirect_uris: ['https://app.example/cb', address] };
      const from = { 'x-forwarded-for': '192.0.2.45' };
      const { status, body } = await service.post('/oauth/register', JSON.stringify(metadata), from);
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri']);
      const path = `/taken-${taken.indexOf(address)}`;
      const client_id = stage.host.url + path;
      stage.host.documents.set(path, { body: JSON.stringify({ ...metadata, client_id }) });
      const browser = service.person({ 'x-forwarded-for': '192.0.2.46' });
      assertRefused(await browser.ask(request({ client_id, redirect_uri: 'https://app.example/cb' })));
    });
  }

  it('schemes that apps have made their own can', async () => {
    const own = [
      'cursor://anysphere/cb',
      'vscode://x/cb',
      'com.example.app:/cb',
      'claude://cb',
      'opencode://oauth',
    ];
    const { redirect_uris } = await service.register({ redirect_uris: own });
    assert.deepEqual(redirect_uris, own);
    const eleven = Array.from({ length: 11 }, (_, index) => `https://app.example/${index}`);
    const { status } = await service.post('/oauth/register', JSON.stringify({ redirect_uris: eleven }));
    assert.equal(status, 400);
  });

  const unregistrable: unknown[] = [
    ['http://evil.example/cb'],
    ['https://app.example/cb#fragment'],
    ['https://user:word@app.example/cb'],
    ['javascript:alert(1)'],
    ['data:text/html,hi'],
    ['not an address'],
    [''],
    [],
    ['https://app.example/', 7],
    'https://app.example/',
    null,
    [`https://app.example/${'x'.repeat(3_000)}`],
    Array.from({ length: 200 }, (_, index) => `https://app.example/${index}`),
  ];
  for (const redirect_uris of unregistrable) {
    const shown = JSON.stringify(redirect_uris) ?? '';
    it(`${shown.slice(0, 60)} cannot be registered`, async () => {
      const { status, body } = await service.post(
        '/oauth/register',
        JSON.stringify({ client_name: 'App', redirect_uris }),
        { 'x-forwarded-for': '192.0.2.44' },
      );
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(String(body.error), /^invalid_(?:redirect_uri|client_metadata)$/);
    });
  }

  it('headers that state the address of the request change nothing', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    };
    const plain = await service.server.get('/.well-known/oauth-authorization-server', { key: null });
    const spoofed = await service.server.get('/.well-known/oauth-authorization-server', {
      key: null,
      headers,
    });
    assert.deepEqual(spoofed.json(), plain.json());
    assert.ok(!spoofed.text.includes('evil.example'));
    const path = request().slice(service.url.length);
    const answer = await service.server.get(path, { key: null, headers });
    assert.equal(answer.status, 303);
    const said = JSON.stringify(answer.headers);
    assert.ok(!said.includes('evil.example'), said);
    assert.match(String(answer.headers.location), /^(?:http:\/\/127\.0\.0\.1:\d+)?\/oauth\/interaction\//);
    assert.ok(!/; ?secure/i.test(String(answer.headers['set-cookie'])));
  });
});

describe('the page that asks', () => {
  it('hears no answer without the token of the session that saw it', async () => {
    const page = await person.walk(request());
    const before = grants();
    for (const form of [
      { decision: 'allow' },
      { decision: 'allow', csrf: '' },
      { decision: 'allow', csrf: 'x' },
      { decision: 'allow', csrf: `${csrfOf(page).slice(0, -1)}-` },
    ] as Record<string, string>[]) {
      const seen = await person.ask(page.url, form);
      assert.equal(seen.status, 403);
      assert.equal(seen.headers.get('location'), null);
    }
    assert.equal((await person.ask(`${page.url}?decision=allow&csrf=${csrfOf(page)}`)).status, 200);
    const odd = await person.ask(page.url, { decision: 'perhaps', csrf: csrfOf(page) });
    assert.equal(odd.status, 400);
    const json = await fetch(page.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...person.jar.header(new URL(page.url).pathname) },
      body: JSON.stringify({ decision: 'allow', csrf: csrfOf(page) }),
    });
    assert.equal(json.status, 400);
    assert.equal(grants(), before);
  });

  it('belongs to the browser that began the request', async () => {
    const other = await service.member('victim@example.com');
    const page = await person.walk(request());
    assertOver(await other.ask(page.url));
    assertOver(await other.ask(page.url, { decision: 'allow', csrf: 'x' }));
    const uid = uidOf(page);
    const planted = service.person({});
    const forged = await fetch(page.url, {
      headers: { cookie: `cratebase_interaction=${uid}; cratebase_interaction.sig=${'a'.repeat(27)}` },
    });
    assert.equal(forged.status, 410);
    assertOver(await planted.ask(`/oauth/authorize/${uid}`));
    assertOver(await planted.ask('/oauth/interaction/none'));
  });

  it('counts only for the account that saw it', async () => {
    const browser = await service.member('first@example.com');
    const page = await browser.walk(request());
    const seenByFirst = csrfOf(page);
    browser.jar.drop(/session/);
    await browser.signUp('second@example.com');
    const before = grants();
    const mixed = await browser.ask(page.url, { decision: 'allow', csrf: seenByFirst });
    assert.equal(mixed.status, 403);
    assert.match(mixed.text, /opened for another account/);
    assert.match(mixed.text, /second@example\.com/);
    assert.equal(grants(), before);
    const back = await browser.walk(page.url, { decision: 'allow', csrf: csrfOf(mixed) });
    assert.match(back.url, /[?&]code=/);
  });

  it('an answer is void where another account signs in before it arrives', async () => {
    const browser = await service.member('third@example.com');
    const page = await browser.walk(request());
    const answer = await browser.ask(page.url, { decision: 'allow', csrf: csrfOf(page) });
    assert.equal(answer.status, 303);
    browser.jar.drop(/session/);
    await browser.signUp('fourth@example.com');
    const { url } = await browser.walk(answer.headers.get('location') as string);
    assert.equal(new URL(url).searchParams.get('error'), 'access_denied');
    assert.equal(new URL(url).searchParams.get('code'), null);
  });

  it('lets the visitor use another account, and sends a visitor without one to sign in first', async () => {
    const browser = await service.member('fifth@example.com');
    const page = await browser.walk(request());
    const signIn = await browser.walk(page.url, { decision: 'switch', csrf: csrfOf(page) });
    assert.match(signIn.url, /\/account\/sign-in\?next=%2Foauth%2Finteraction%2F/);
    const again = await browser.signIn('person@example.com', signIn);
    assert.equal(again.url, page.url);
    assert.match(again.text, /person@example\.com/);
    const stranger = service.person();
    const asked = await stranger.walk(request());
    assert.match(asked.url, /\/account\/sign-in\?next=/);
    const then = await stranger.signIn('fifth@example.com', asked);
    assert.match(then.text, /name="decision"/);
  });

  it('hears no answer that a page of another site sends', async () => {
    const before = grants();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const page = await person.walk(request());
      const answer = await fetch(page.url, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...person.jar.header(new URL(page.url).pathname), ...headers },
        body: new URLSearchParams({ decision: 'allow', csrf: csrfOf(page) }),
      });
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.match(await answer.text(), /from a page of another site/);
    }
    assert.equal(grants(), before);
  });

  it('no is no', async () => {
    const before = grants();
    const back = await person.decide(request(), 'deny');
    assert.deepEqual(
      ['error', 'state', 'iss', 'code'].map((name) => back.searchParams.get(name)),
      ['access_denied', 'a state', service.url, null],
    );
    assert.equal(grants(), before);
  });

  it('going back to it after the answer changes nothing', async () => {
    const page = await person.walk(request());
    const form = { decision: 'allow', csrf: csrfOf(page) };
    assert.match((await person.walk(page.url, form)).url, /[?&]code=/);
    const before = grants();
    assertOver(await person.ask(page.url));
    assertOver(await person.ask(page.url, form));
    assertOver(await person.ask(`/oauth/authorize/${uidOf(page)}`));
    assert.equal(grants(), before);
  });

  it('waits an hour and no longer', async () => {
    const page = await person.walk(request());
    const file = new Database(stage.dataFile);
    file
      .prepare(
        `UPDATE oauth_items SET expires_ts = 1, payload = json_set(payload, '$.exp', 1) WHERE kind = 'Interaction'`,
      )
      .run();
    file.close();
    assertOver(await person.ask(page.url));
    assertOver(await person.ask(page.url, { decision: 'allow', csrf: csrfOf(page) }));
  });

  it('shows what apps say of themselves as text, and who vouches for it', async () => {
    const name = '<script>alert(1)</script>\u202egnp.elgooG\n"x';
    const { client_id } = await service.register({
      client_name: name,
      redirect_uris: ['https://app.example/cb', 'com.example.app:/cb'],
    });
    const { text, headers } = await person.walk(
      request({ client_id, redirect_uri: 'https://app.example/cb' }),
    );
    assert.ok(!text.includes('<script>alert'), text);
    assert.ok(!text.includes('\u202e'));
    assert.match(text, /Not verified/);
    assert.match(text, /app\.example/);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /form-action/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    const scheme = await person.walk(request({ client_id, redirect_uri: 'com.example.app:/cb' }));
    assert.match(scheme.text, /com\.example\.app:/);
    const document = `${stage.host.url}/known`;
    stage.host.documents.set('/known', {
      body: JSON.stringify({ client_id: document, client_name: 'Known', redirect_uris: [callback] }),
    });
    const known = await person.walk(request({ client_id: document }));
    assert.match(
      known.text,
      /Verified: <span class="host"><b>127\.0\.0\.1:\d+<\/b><\/span> publishes this name/,
    );
    assert.match(known.text, /this computer/);
    for (const page of [text, scheme.text, known.text]) {
      assert.match(page, /Allow it only if you have just started this yourself/);
    }
    // The host leads, whatever it says of itself.
    assert.match(text, /<h1 class="ask">Allow access for <span class="host"><b>app\.example<\/b><\/span>\?/);
    assert.match(text, /<title>Allow access for app\.example\?/);
  });

  it('an invisible name is no name', async () => {
    const redirect_uri = 'https://app.example/cb';
    const names: [string, string | undefined][] = [
      ['\u2800', undefined],
      ['\u3164\u115f', undefined],
      ['\ufe0f\u034f', undefined],
      ['\u{e0041}\u00ad', undefined],
      ['\u0301 "\'', undefined],
      ['\u3164Ap\u034fp\u2800 2\ufe0f', 'App 2'],
      ['🎧', '🎧'],
    ];
    for (const [name, shown] of names) {
      const registration = await service.register({ client_name: name, redirect_uris: [redirect_uri] });
      assert.equal(registration.client_name, shown, JSON.stringify(name));
      const { text } = await person.walk(request({ client_id: registration.client_id, redirect_uri }));
      assert.equal(/calls itself/.test(text), shown !== undefined, JSON.stringify(name));
    }
  });

  it('a document vouches for no other host than its own', async () => {
    const client_id = `${stage.host.url}/elsewhere`;
    const redirect_uri = 'https://collect.evil.example/cb';
    stage.host.documents.set('/elsewhere', {
      body: JSON.stringify({ client_id, client_name: 'Claude', redirect_uris: [redirect_uri] }),
    });
    const { text } = await person.walk(request({ client_id, redirect_uri }));
    assert.doesNotMatch(text, /Verified:/);
    assert.match(text, /<title>Allow access for collect\.evil\.example\?/);
    assert.match(text, /Not verified for this answer, which goes to another host/);
    assert.match(
      text,
      /Your answer goes to <span class="host">.*which is not <span class="host"><b>127\.0\.0\.1/,
    );
    await person.decide(request({ client_id, redirect_uri }));
    const file = new Database(stage.dataFile, { readonly: true });
    const kept = file.prepare("SELECT host, verified FROM oauth_grants WHERE name = 'Claude'").get();
    file.close();
    assert.deepEqual(kept, { host: 'collect.evil.example', verified: 0 });
  });

  it('errors are shown as text', async () => {
    const seen = await person.ask(request({ client_id: '<img src=x onerror=alert(1)>' }));
    assertRefused(seen);
    assert.ok(!seen.text.includes('<img src=x'));
  });

  it('a request without a person gets no further', async () => {
    for (const browser of [person, service.person()]) {
      const seen = await browser.walk(request({ prompt: 'none' }));
      assertRefused(seen);
      assert.match(seen.text, /login_required/);
    }
  });

  it('parameters of other kinds of server are ignored', async () => {
    const back = await person.decide(
      request({
        scope: 'openid profile offline_access',
        prompt: 'consent select_account',
        nonce: 'n',
        max_age: '0',
        acr_values: 'x',
        ui_locales: 'de',
        unknown: '1',
      }),
    );
    assert.ok(back.searchParams.get('code'), back.href);
  });
});

describe('metadata documents', () => {
  const addresses = [
    'https://10.0.0.1/app',
    'https://169.254.169.254/latest/meta-data/app',
    'https://[::1]/app',
    'https://[::ffff:10.0.0.1]/app',
    'https://[64:ff9b::a00:1]/app',
    'https://167772161/app',
    'https://0xa000001/app',
    'https://0/app',
    'https://100.64.0.1/app',
    'https://user@10.0.0.1/app',
    'http://127.0.0.1/app',
    'https://localhost./app',
    'file:///etc/passwd',
  ];
  for (const client_id of addresses) {
    it(`none is fetched from ${client_id}`, async () => {
      assertRefused(await person.ask(request({ client_id })));
    });
  }

  const good = (path: string, more: object = {}) => ({
    client_id: stage.host.url + path,
    client_name: 'App',
    redirect_uris: [callback],
    ...more,
  });
  const bad: Record<string, (path: string) => Parameters<Stage['host']['documents']['set']>[1]> = {
    'another client id': () => ({ body: JSON.stringify(good('/elsewhere')) }),
    'no JSON': () => ({ body: '<html>' }),
    'a list': () => ({ body: '[]' }),
    'no addresses': (path) => ({ body: JSON.stringify({ client_id: stage.host.url + path }) }),
    'a secret': (path) => ({ body: JSON.stringify(good(path, { client_secret: 'x' })) }),
    'a secret way': (path) => ({
      body: JSON.stringify(good(path, { token_endpoint_auth_method: 'client_secret_post' })),
    }),
    'an error': (path) => ({ status: 404, body: JSON.stringify(good(path)) }),
    'a redirect': (path) => ({ status: 302, headers: { Location: `${path}-real` }, body: '' }),
    'a redirect inside': () => ({
      status: 302,
      headers: { Location: 'https://10.0.0.1/app' },
      body: '',
    }),
    'too much': (path) => ({ body: JSON.stringify(good(path, { client_uri: 'x'.repeat(200_000) })) }),
    'too much, packed': (path) => ({
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify(good(path, { client_uri: 'x'.repeat(20_000_000) }))),
    }),
  };
  Object.entries(bad).forEach(([what, document], index) => {
    it(`with ${what} lets nobody in`, async () => {
      const path = `/bad-${index}`;
      stage.host.documents.set(path, document(path));
      stage.host.documents.set(`${path}-real`, { body: JSON.stringify(good(path)) });
      assertRefused(
        await service
          .person({ 'x-forwarded-for': '192.0.2.50' })
          .ask(request({ client_id: stage.host.url + path })),
      );
      assert.ok(stage.host.asked.includes(path));
      assert.ok(!stage.host.asked.includes(`${path}-real`));
    });
  });

  it('are fetched only so often for one address', async () => {
    const flooding = service.person({ 'x-forwarded-for': '192.0.2.60' });
    const before = stage.host.asked.length;
    for (let index = 0; index < 40; index += 1) {
      await flooding.ask(request({ client_id: `${stage.host.url}/flood-${index}` }));
    }
    const asked = stage.host.asked.length - before;
    assert.ok(asked >= 20 && asked <= 30, `${asked}`);
    assert.equal((await person.walk(request())).status, 200, 'others go on');
  });
});

describe('too much', () => {
  it('a body that is too long is not read', async () => {
    const long = 'x'.repeat(200_000);
    const registration = await service.post('/oauth/register', JSON.stringify({ client_name: long }));
    assert.deepEqual([registration.status, registration.body.error], [413, 'invalid_request']);
    const token = await service.post('/oauth/token', { grant_type: 'authorization_code', code: long });
    assert.equal(token.status, 413);
    const page = await person.walk(request());
    const form = await person.ask(page.url, { decision: 'allow', csrf: csrfOf(page), more: long });
    assert.equal(form.status, 413);
  });

  it('nonsense is answered as such', async () => {
    for (const body of ['', '{', '[]', 'null', '7', '"x"', '{"redirect_uris":{}}']) {
      const { status } = await service.post('/oauth/register', body, { 'x-forwarded-for': '192.0.2.70' });
      assert.equal(status, 400, body);
    }
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      assert.equal((await service.post(path, {})).status, 400);
      assert.equal((await service.post(path, '{}')).status, 400);
      assert.equal((await service.server.get(path, { key: null })).status, 405);
    }
    const post = await service.post('/oauth/authorize', { client_id: client });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
    const grant = await service.post('/oauth/token', { grant_type: 'password', client_id: client });
    assert.equal(grant.body.error, 'unsupported_grant_type');
  });

  it('one address registers only so many clients in an hour', async () => {
    const from = { 'x-forwarded-for': '2001:db8:1:2:3::1' };
    const register = (headers: Record<string, string>) =>
      service.post('/oauth/register', JSON.stringify({ redirect_uris: [callback] }), headers);
    const all = await Promise.all(Array.from({ length: 40 }, () => register(from)));
    assert.equal(all.filter(({ status }) => status === 201).length, 30);
    const refused = all.find(({ status }) => status !== 201);
    assert.equal(refused?.status, 429);
    assert.equal(refused?.body.error, 'temporarily_unavailable');
    assert.equal(refused?.headers.get('retry-after'), '3600');
    const neighbour = await register({ 'x-forwarded-for': '2001:db8:1:2:ffff::1' });
    assert.equal(neighbour.status, 429, 'the same network');
    const stranger = await register({ 'x-forwarded-for': '2001:db8:1:3::1' });
    assert.equal(stranger.status, 201);
  });

  it('a /48 of addresses is throttled as one client, and locks no other client out', async () => {
    const register = (from: string) =>
      service.post('/oauth/register', JSON.stringify({ redirect_uris: [callback] }), {
        'x-forwarded-for': from,
      });
    const statuses: number[] = [];
    for (let round = 0; round < 140; round += 1) {
      statuses.push((await register(`2001:db8:77:${(round << 8).toString(16)}::1`)).status);
    }
    assert.equal(statuses.filter((status) => status === 201).length, 120);
    assert.equal((await register('2001:db8:78::1')).status, 201);
  });

  it('of unapproved clients the oldest are dropped; an approved one stays', async () => {
    const used = (await service.connect(person)).client;
    const file = new Database(stage.dataFile);
    const insert = file.prepare(
      "INSERT INTO oauth_clients VALUES (?, '{}', 'elsewhere', 'elsewhere', ?, NULL)",
    );
    file.transaction(() => {
      for (let round = 0; round < 2_000; round += 1)
        insert.run(`flood-${round}`, Date.now() - 3_000_000 + round);
    })();
    const newest = await service.register({ redirect_uris: [callback] });
    const count = (where: string) =>
      file.prepare(`SELECT count(*) FROM oauth_clients WHERE ${where}`).pluck().get() as number;
    assert.equal(count('last_used_ts IS NULL'), 1_500);
    assert.equal(count(`id IN ('${used}', '${newest.client_id}')`), 2);
    assert.equal(count("id = 'flood-0'"), 0);
    file.close();
  });

  it('requests that wait for a person take only so much room', async () => {
    const own = (await service.register({ redirect_uris: [callback] })).client_id;
    const waiting = (where = '1') => {
      const file = new Database(stage.dataFile, { readonly: true });
      const found = file
        .prepare(`SELECT count(*) FROM oauth_items WHERE kind = 'Interaction' AND ${where}`)
        .pluck()
        .get() as number;
      file.close();
      return found;
    };
    const before = waiting();
    const flood = async (from: (round: number) => string, rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const browser = service.person({ 'x-forwarded-for': from(round) });
        const { status } = await browser.ask(request({ client_id: own, state: 'x'.repeat(2_000) }));
        assert.equal(status, 303);
      }
    };
    await flood(() => '203.0.113.9', 70);
    assert.equal(waiting(), before + 50);
    await flood((round) => `2001:db8:99:${round.toString(16)}::1`, 270);
    assert.equal(waiting(), before + 50 + 250);
    const file = new Database(stage.dataFile);
    file
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         INSERT INTO oauth_items (kind, id, payload, expires_ts, origin, region)
         SELECT 'Interaction', 'flood-' || i, '{}', ?, 'o' || i, 'r' || i FROM n`,
      )
      .run(Date.now() + 1_000_000);
    file.close();
    const page = await person.walk(request());
    assert.equal(waiting(), 2_000);
    assert.equal((await person.ask(page.url)).status, 200, 'the newest stay');
  });

  it('one network uses up its own share of requests, and gets a Retry-After', async () => {
    const ask = (from: string) =>
      fetch(request(), { headers: { 'x-forwarded-for': from }, redirect: 'manual' });
    const statuses = new Map<number, number>();
    let last: Response | undefined;
    for (let round = 0; round < 130; round += 1) {
      const answer = await ask('2001:db8:5:6::1');
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status !== 303) last = answer;
    }
    assert.deepEqual([...statuses.keys()].sort(), [303, 429]);
    assert.ok((statuses.get(303) ?? 0) < 110, JSON.stringify([...statuses]));
    assert.match(String(last?.headers.get('retry-after')), /^[1-9]\d?$/);
    // Neighbours of the same provider, and of the same region, are not refused with it.
    assert.equal((await ask('2001:db8:5:7::1')).status, 303);
    assert.equal((await ask('2001:db8:6:1::1')).status, 303);
  });

  it('one network asks only so often within a minute', async () => {
    const browser = service.person({ 'x-forwarded-for': '203.0.113.77' });
    let last = 303;
    for (let round = 0; round < 310 && last !== 429; round += 1) {
      last = (await browser.ask('/oauth/authorize')).status;
    }
    assert.equal(last, 429);
    assert.equal((await person.walk(request())).status, 200);
  });

  it('keys at an address are fetched once, and not again where that failed', async () => {
    const at = async (jwks_uri: string) => {
      const { client_id } = await service.register({
        redirect_uris: [callback],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks_uri,
      });
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      for (let round = 0; round < 10; round += 1) {
        const claims = {
          iss: client_id,
          sub: client_id,
          aud: service.url,
          jti: `${client_id}${round}`,
          exp: Math.floor(Date.now() / 1000) + 60,
        };
        const { status } = await service.post(
          '/oauth/token',
          {
            grant_type: 'authorization_code',
            client_id,
            code: 'x',
            code_verifier: 'x'.repeat(43),
            redirect_uri: callback,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: `${part({ alg: 'ES256', kid: String(round) })}.${part(claims)}.AAAA`,
          },
          { 'x-forwarded-for': '192.0.2.90' },
        );
        assert.ok(status === 400 || status === 401, `${status}`);
      }
    };
    stage.host.documents.set('/keys', { body: JSON.stringify({ keys: [] }) });
    await at(`${stage.host.url}/keys`);
    await at(`${stage.host.url}/keys`);
    await at(`${stage.host.url}/no-keys`);
    const asked = (path: string) => stage.host.asked.filter((one) => one === path).length;
    assert.deepEqual([asked('/keys'), asked('/no-keys')], [1, 1]);
  });

  it('one host is requested only so often, whichever client causes it', async () => {
    const before = stage.host.asked.length;
    for (let round = 0; round < 130; round += 1) {
      const browser = service.person({ 'x-forwarded-for': `198.51.${round}.1` });
      await browser.ask(request({ client_id: `${stage.host.url}/host-${round}` }));
    }
    assert.ok(stage.host.asked.length - before <= 100);
  });
});

it('scripts of other sites may register, get tokens, and read the metadata; nothing else', async () => {
  const open = ['/oauth/token', '/oauth/register', '/oauth/revoke', '/oauth/jwks'];
  const documents = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, mcp-protocol-version',
  };
  for (const path of [...open, ...documents]) {
    const asked = await service.server.get(path, { key: null, method: 'OPTIONS', headers });
    assert.equal(asked.status, 204, path);
    assert.equal(asked.headers['access-control-allow-origin'], '*');
    assert.match(String(asked.headers['access-control-allow-headers']), /content-type/i);
    const answer = path.startsWith('/.well-known/')
      ? await service.server.get(path, { key: null, headers })
      : await service.post(path, {}, { origin: 'https://app.example' });
    const allowed =
      answer.headers instanceof Headers
        ? answer.headers.get('access-control-allow-origin')
        : answer.headers['access-control-allow-origin'];
    assert.ok(allowed === '*' || allowed === 'https://app.example', `${path} ${allowed}`);
  }
  const page = await service.server.get('/oauth/authorize', {
    key: null,
    headers: { origin: 'https://app.example' },
  });
  assert.equal(page.headers['access-control-allow-origin'], undefined);
});
