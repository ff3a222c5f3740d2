/** Every route of the console with every role, and forms without a valid token or from another site. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminRoutes } from '../../src/admin/routes.ts';
import type { Role } from '../../src/contract/roles.ts';
import { Person, password } from '../support/account-pages.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';

const pages = await serveAdmin();
type Statuses = [anonymous: number, user: number, editor: number, operator: number];

/** The status of each route for each role. The forms are empty, so that a role that may send one gets its refusal. */
const expected: Record<string, Statuses> = {
  'GET /admin': [303, 403, 200, 200],
  'GET /admin/accounts': [303, 403, 403, 200],
  'GET /admin/accounts/*': [303, 403, 403, 404],
  'GET /admin/accounts/*/delete': [303, 403, 403, 404],
  'GET /admin/audit': [303, 403, 200, 200],
  'GET /admin/settings': [303, 403, 403, 200],
  'GET /admin/start': [410, 410, 410, 410],
  'GET /admin/welcome': [303, 403, 403, 200],
  'POST /admin/accounts/*/delete': [303, 403, 403, 404],
  'POST /admin/accounts/*/keys/*/revoke': [303, 403, 403, 404],
  'POST /admin/accounts/*/limits': [303, 403, 403, 404],
  'POST /admin/accounts/*/plan': [303, 403, 403, 404],
  'GET /admin/accounts/*/second-factor': [303, 403, 403, 404],
  'POST /admin/accounts/*/second-factor': [303, 403, 403, 404],
  'POST /admin/accounts/*/reset-link': [303, 403, 403, 404],
  'POST /admin/accounts/*/role': [303, 403, 403, 404],
  'POST /admin/accounts/*/sign-out': [303, 403, 403, 404],
  'POST /admin/accounts/*/suspend': [303, 403, 403, 404],
  'POST /admin/accounts/*/unsuspend': [303, 403, 403, 404],
  'POST /admin/accounts/requests': [303, 403, 403, 400],
  'POST /admin/audit/*/undo': [303, 403, 404, 404],
  'GET /admin/new-account': [303, 403, 403, 200],
  'POST /admin/new-account': [303, 403, 403, 422],
  // An empty form changes nothing and leads back to the settings.
  'POST /admin/settings/identity': [303, 403, 403, 303],
  'POST /admin/settings/exports': [303, 403, 403, 303],
  'POST /admin/settings/logo': [303, 403, 403, 422],
  'POST /admin/settings/plan': [303, 403, 403, 422],
  'POST /admin/settings/plan-change': [303, 403, 403, 422],
  // Without a session, the form lacks its token; with one, the link.
  'POST /admin/start': [403, 409, 409, 409],
  'GET /admin/review': [303, 403, 200, 200],
  'POST /admin/review': [303, 403, 400, 400],
  'POST /admin/review/undo': [303, 403, 400, 400],
  'GET /admin/records': [303, 403, 200, 200],
  'GET /admin/add-record': [303, 403, 200, 200],
  'POST /admin/add-record': [303, 403, 422, 422],
  // There is no such record.
  'GET /admin/records/*': [303, 403, 404, 404],
  'GET /admin/records/*/confirm': [303, 403, 404, 404],
  'GET /admin/records/*/forget': [303, 403, 404, 404],
  'POST /admin/records/*': [303, 403, 400, 400],
  'GET /admin/sources': [303, 403, 200, 200],
  'GET /admin/sources/progress': [303, 403, 200, 200],
  'GET /admin/source/progress': [303, 403, 200, 200],
  'GET /admin/sources/add': [303, 403, 200, 200],
  'POST /admin/sources/preview': [303, 403, 422, 422],
  'POST /admin/sources/add': [303, 403, 422, 422],
  // These addresses lack the name of a source.
  'GET /admin/source': [303, 403, 404, 404],
  'POST /admin/source': [303, 403, 404, 404],
  'GET /admin/source/held': [303, 403, 404, 404],
  'POST /admin/source/held': [303, 403, 404, 404],
  'GET /admin/source/runs': [303, 403, 404, 404],
  'GET /admin/source/rejected': [303, 403, 404, 404],
  'GET /admin/source/remove': [303, 403, 404, 404],
  'POST /admin/source/remove': [303, 403, 404, 404],
};

/** A person who is signed in with a role; null: nobody is. */
const personWith = async (role: Role | null): Promise<Person> =>
  role === null ? new Person(pages) : personWithRole(pages, `${role}@example.com`, role);

const people = [
  await personWith(null),
  await personWith('user'),
  await personWith('editor'),
  await personWith('operator'),
];

/** The CSRF token of a session, from the form that signs out. */
async function tokenOf(person: Person): Promise<string> {
  const { text } = await person.open('/account/security');
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The path of a route, with a value for each `*`. */
const pathOf = (path: string): string => path.replaceAll('*', 'nothing');

test('each route has an expected status for each role', () => {
  assert.deepEqual(
    adminRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
    Object.keys(expected).sort(),
  );
});

for (const { method, path, role } of adminRoutes) {
  test(`${method} ${path}`, async () => {
    const statuses: number[] = [];
    for (const person of people) {
      const isSignedIn = person !== people[0];
      const csrf = method === 'POST' && isSignedIn ? await tokenOf(person) : '';
      const answer =
        method === 'POST' ? await person.post(pathOf(path), { csrf }) : await person.send(pathOf(path));
      statuses.push(answer.status);
      assert.match(String(answer.headers['cache-control']), /^no-store\b/);
      if (answer.status !== 303) {
        assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
        assert.equal(answer.headers['x-frame-options'], 'DENY');
        assert.equal(answer.headers['referrer-policy'], 'same-origin');
      }
      if (!isSignedIn && role !== 'open')
        assert.match(String(answer.headers.location), /^\/account\/sign-in\?next=%2Fadmin/);
    }
    assert.deepEqual(statuses, expected[`${method} ${path}`]);
  });
  if (method !== 'POST') continue;
  test(`${method} ${path} refuses a form without a valid token, and one from another site`, async () => {
    const operator = people[3] as Person;
    const csrf = await tokenOf(operator);
    const editorsToken = await tokenOf(people[2] as Person);
    for (const token of ['', 'x'.repeat(43), editorsToken]) {
      const answer = await operator.post(pathOf(path), { csrf: token });
      assert.equal(answer.status, 403);
      assert.match(answer.text, /This form is out of date/);
    }
    for (const headers of [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }]) {
      const answer = await operator.post(pathOf(path), { csrf }, headers);
      assert.equal(answer.status, 403);
      assert.match(answer.text, /sent from another site/);
    }
  });
}

test('a path that does not exist is "not found" for a person, and the sign-in page for a visitor', async () => {
  assert.equal((await (people[3] as Person).send('/admin/nothing-here')).status, 404);
  assert.equal((await (people[0] as Person).send('/admin/nothing-here')).status, 303);
  const answer = await (people[3] as Person).send('/admin', { method: 'DELETE' });
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.allow, 'GET, HEAD');
});

test('a path that is too long for a header is not led back to', async () => {
  const person = new Person(pages);
  for (const [start, back] of [
    ['/admin/', '%2Fadmin'],
    ['/account/developer?x=', '%2Faccount%2Fdeveloper'],
  ]) {
    const { headers } = await person.send(`${start}${'%2C'.repeat(4_000)}`);
    assert.equal(headers.location, `/account/sign-in?next=${back}`);
  }
});

test('signing in leads back to the page of the console', async () => {
  const person = new Person(pages);
  const first = await person.send('/admin?x=1');
  const { location } = first.headers;
  assert.equal(location, '/account/sign-in?next=%2Fadmin%3Fx%3D1');
  const next = new URL(location, pages.url).searchParams.get('next') as string;
  const answer = await person.fill(
    '/account/sign-in',
    { email: 'editor@example.com', password, next },
    '/account/sign-in',
  );
  assert.equal(answer.headers.location, '/admin?x=1');
  assert.equal((await person.send('/admin')).status, 200);
});

test('a change of the role applies from the next request on', async () => {
  const person = new Person(pages);
  await person.signUp('changing@example.com');
  const { accounts } = pages.access;
  assert.equal((await person.send('/admin')).status, 403);
  await accounts.setRole('changing@example.com', 'editor', 'terminal:test');
  assert.equal((await person.send('/admin')).status, 200);
  await accounts.setRole('changing@example.com', 'user', 'terminal:test');
  const { status, text } = await person.send('/admin');
  assert.equal(status, 403);
  assert.match(text, /Not for this account/);
  assert.doesNotMatch(text, /Revision|Data file/);
});
