/** A browser without scripts: cookies, redirects, forms. */
import assert from 'node:assert/strict';

type Cookie = { name: string; value: string; path: string; ends: number };
export type Seen = { status: number; url: string; headers: Headers; text: string };

/** The cookies of one browser, for one host. */
class Jar {
  #cookies: Cookie[] = [];

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const attribute = (name: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const age = attribute('max-age');
      const expires = attribute('expires');
      const ends =
        age !== undefined ? Date.now() + Number(age) * 1_000 : expires ? Date.parse(expires) : Infinity;
      const cookie = {
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
        path: attribute('path') ?? '/',
        ends,
      };
      assert.match(line, /; ?httponly/i, 'no cookie is for scripts');
      this.#cookies = this.#cookies.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
      if (cookie.ends > Date.now()) this.#cookies.push(cookie);
    }
  }

  header(path: string): Record<string, string> {
    const fitting = this.#cookies.filter(
      (cookie) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')),
    );
    return fitting.length === 0
      ? {}
      : { cookie: fitting.map(({ name, value }) => `${name}=${value}`).join('; ') };
  }

  get names(): string[] {
    return this.#cookies.map(({ name }) => name);
  }

  drop(name: RegExp): void {
    this.#cookies = this.#cookies.filter((cookie) => !name.test(cookie.name));
  }
}

export class Browser {
  readonly jar = new Jar();
  readonly #origin: string;
  /** Headers of every request besides the cookies. */
  readonly headers: Record<string, string>;

  /** @param origin the only origin that it requests; a redirect elsewhere ends following */
  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = new URL(origin).origin;
    this.headers = headers;
  }

  /** Sends one request without following redirects. */
  async ask(address: string, form?: Record<string, string>): Promise<Seen> {
    const url = new URL(address, this.#origin);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...this.headers, ...this.jar.header(url.pathname) },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    this.jar.take(answer.headers);
    return { status: answer.status, url: url.href, headers: answer.headers, text: await answer.text() };
  }

  /** Follows redirects to a page, or to another origin: then `url` has its address. */
  async walk(address: string, form?: Record<string, string>): Promise<Seen> {
    let seen = await this.ask(address, form);
    for (let steps = 0; steps < 12; steps += 1) {
      const location = seen.headers.get('location');
      if (location === null) return seen;
      const next = new URL(location, seen.url);
      if (next.origin !== this.#origin) return { ...seen, url: next.href };
      seen = await this.ask(next.href);
    }
    return assert.fail(`${address} redirects for ever`);
  }

  /** Signs up with a new account. */
  async signUp(email: string, password = 'a long enough one', prefix = ''): Promise<void> {
    const page = await this.walk(`${prefix}/account/sign-up`);
    const seen = await this.walk(`${prefix}/account/sign-up`, { csrf: csrfOf(page), email, password });
    assert.equal(seen.status, 200, seen.text);
  }

  async signIn(email: string, page: Seen, password = 'a long enough one'): Promise<Seen> {
    const next = /name="next" value="([^"]+)"/.exec(page.text)?.[1];
    return this.walk('/account/sign-in', {
      csrf: csrfOf(page),
      email,
      password,
      ...(next === undefined ? {} : { next: decoded(next) }),
    });
  }

  /** Opens an authorization request and decides it; returns the final redirect address. */
  async decide(address: string, decision = 'allow'): Promise<URL> {
    const page = await this.walk(address);
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, /name="decision"/, page.text);
    const seen = await this.walk(page.url, { csrf: csrfOf(page), decision });
    assert.notEqual(new URL(seen.url).origin, this.#origin, seen.text);
    return new URL(seen.url);
  }
}

const decoded = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** Returns the CSRF token of the main form. */
export function csrfOf(page: Seen): string {
  const main = page.text.slice(page.text.indexOf('<main'));
  const found = /name="csrf" value="([^"]+)"/.exec(main)?.[1];
  assert.ok(found, `no form on the page: ${page.status} ${page.text}`);
  return found;
}
