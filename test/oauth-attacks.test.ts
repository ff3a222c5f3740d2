/** What strangers try: with codes, addresses, other people's browsers, and documents at addresses of their choice. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { callback, openStage, pkce, type Service, type Stage } from './support/oauth.ts';
import { type Browser, csrfOf, type Seen } from './support/people.ts';

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
      const { url } = await person.walk(request(parameters));
      const { searchParams, host } = new URL(url);
      assert.equal(host, new URL(callback).host);
      assert.deepEqual(
        [searchParams.get('error'), searchParams.get('iss')],
        ['invalid_request', service.url],
      );
    }
    for (const response_type of ['token', 'id_token', 'code token', 'none']) {
      const { url } = await person.walk(request({ response_type }));
      assert.match(url, /error=unsupported_response_type/);
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

  it('two of them at once are refused, at the one that is registered', async () => {
    const twice = `${request()}&redirect_uri=${encodeURIComponent('https://evil.example/')}`;
    const seen = await person.ask(twice);
    const { origin, searchParams } = new URL(seen.headers.get('location') ?? service.url);
    assert.deepEqual([origin, searchParams.get('error')], [new URL(callback).origin, 'invalid_request']);
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

  it('what a request says of its own address changes nothing', async () => {
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

  it('is nobody’s answer but of the account that saw it', async () => {
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

  it('lets somebody use another account, and sends who is not signed in there first', async () => {
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
    assert.match(known.text, /Verified: <strong>127\.0\.0\.1:\d+<\/strong>/);
    assert.match(known.text, /this computer/);
  });

  it('errors are shown as text', async () => {
    const seen = await person.ask(request({ client_id: '<img src=x onerror=alert(1)>' }));
    assertRefused(seen);
    assert.ok(!seen.text.includes('<img src=x'));
  });

  it('a request without a person gets no further', async () => {
    for (const browser of [person, service.person()]) {
      const { url } = await browser.walk(request({ prompt: 'none' }));
      assert.equal(new URL(url).searchParams.get('error'), 'login_required');
    }
  });

  it('what other kinds of server would know is ignored', async () => {
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
    assert.equal(form.status, 400);
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
