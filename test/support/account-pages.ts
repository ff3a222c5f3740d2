/** Tests of the account pages: a server, and a browser with cookies and forms. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Access } from '../../src/access/access.ts';
import { type App, openApp } from '../../src/app.ts';
import type { ActionProcesses } from '../../src/cli/serve/action-process.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { readServeConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { type Answer, temporaryFolder } from './program.ts';

export type Pages = { url: string; dataFile: string; app: App; access: Access; log: string[] };

/**
 * Starts a server in this process on a new data file, which is deleted after the tests.
 * @param flags options of `serve`
 * @param openActions opens the runner of the console's actions; without it, the console only reads
 */
export async function servePages(
  flags: Record<string, string | boolean> = {},
  clock: Clock = systemClock,
  openActions?: (data: string) => ActionProcesses,
): Promise<Pages> {
  const folder = temporaryFolder();
  const dataFile = join(folder.path, 'test.db');
  const config = readServeConfig({ data: dataFile, port: '0', noSync: true, ...flags }, {});
  const app = openApp({ data: dataFile, create: true, clock });
  const log: string[] = [];
  const write = (...parts: unknown[]) => void log.push(JSON.stringify(parts));
  const actions = openActions?.(dataFile);
  const server = await startServer(app, { config, log: write, ...(actions && { runAction: actions.run }) });
  after(async () => {
    await Promise.all([server.close(), actions?.stop()]);
    app.close();
    folder.remove();
  });
  const url = `http://127.0.0.1:${server.port}`;
  return { url, dataFile, app, access: await app.access(), log };
}

export const password = 'correct horse battery staple';

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

/** A browser that keeps cookies and follows no redirects. */
export class Person {
  readonly url: string;
  readonly cookies = new Map<string, string>();

  constructor({ url }: { url: string }) {
    this.url = url;
  }

  /** Requests a path without changing it. */
  send(path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<Answer> {
    const { hostname, port } = new URL(this.url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { ...(cookie === '' ? {} : { cookie }), ...headers };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers: all, timeout: 60_000 }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          this.#keep(response.headers['set-cookie'] ?? []);
          resolve({
            status: response.statusCode as number,
            headers: response.headers,
            text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      });
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer in 60 s`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0\b/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  /** Opens a page, which must exist. */
  async open(path: string): Promise<Answer> {
    const answer = await this.send(path);
    assert.equal(answer.status, 200, `${path}: ${answer.status} ${answer.headers.location ?? ''}`);
    return answer;
  }

  /** Sends a form as a browser does. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: this.url,
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** Opens a page and sends its form. `action` is the path of the form if it differs from that of the page. */
  async fill(page: string, fields: Record<string, string>, action = page): Promise<Answer> {
    const hidden = hiddenFields((await this.open(page)).text, action);
    return this.post(action, { ...hidden, ...fields });
  }

  /** Signs up with a new account. */
  async signUp(email: string): Promise<void> {
    const answer = await this.fill('/account/sign-up', { email, password });
    assert.equal(answer.status, 303, answer.text);
  }

  signIn(email: string, given = password): Promise<Answer> {
    return this.fill('/account/sign-in', { email, password: given });
  }

  /** Creates a key and returns it. */
  async createKey(name: string): Promise<string> {
    const answer = await this.fill('/account/developer', { name }, '/account/developer/keys');
    assert.equal(answer.status, 200, answer.text);
    const [key] = /cb_live_\w{6}_\w{38}/.exec(answer.text) ?? [];
    assert.ok(key);
    return key;
  }
}

/** Returns the hidden fields of the form with this `action`. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html.split('<form ').find((part) => part.includes(`action="${action}"`));
  assert.ok(form, `there is no form for ${action}`);
  const inside = form.split('</form>', 1)[0] as string;
  const inputs = inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

/** Asserts a redirect to the sign-in page. */
export async function isSignedIn(person: Person): Promise<boolean> {
  const { status } = await person.send('/account/developer');
  return status === 200;
}

/** Returns the ids in the paths of a page, such as those of keys. */
export const idsOn = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map((match) => match[1] as string);
