/**
 * The examples for nginx and Caddy, with the real proxies of Debian: TLS, compression, validators, the address of the
 * visitor, and the limits of the console. Only names, ports, certificates and paths are replaced.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeCertificate } from '../support/certificate.ts';
import { type Served, serve } from '../support/serve-process.ts';

const root = new URL('../../', import.meta.url);
const example = (name: string) => readFileSync(new URL(`examples/proxy/${name}`, root), 'utf8');

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  size: number;
  body: string;
};
type Request = { port: number; path: string; headers?: Record<string, string>; from?: string; body?: string };

function get(
  { port, path, headers = {}, from = '127.0.0.1', body }: Request,
  send = request,
): Promise<Answer> {
  const options = {
    ...{ host: '127.0.0.1', localAddress: from, port, path, method: body === undefined ? 'GET' : 'POST' },
    rejectUnauthorized: false,
    headers: { host: 'localhost', ...headers },
  };
  return new Promise((resolve, reject) => {
    send(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const content = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, size: content.length, body: content.toString() });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

type Ports = { secure: number; plain: number; service: number };
type Proxy = {
  name: string;
  /** The configuration for these ports; the console is limited to 127.0.0.1 as the only address of an operator. */
  configure: (ports: Ports, folder: string) => string;
  /** The command line that runs it in the foreground. */
  command: (path: string, folder: string) => string[];
};

const operatorNetworks = /^\s+allow (?:127\.0\.0\.0\/8|10\.|172\.|192\.|fd00|::1)[^\n]*\n/gm;

const proxies: Proxy[] = [
  {
    name: 'nginx',
    configure({ secure, plain, service }, folder) {
      const text = example('nginx.conf')
        .replaceAll('music.example.org', 'localhost')
        .replaceAll('127.0.0.1:4880', `127.0.0.1:${service}`)
        .replaceAll(/\/etc\/letsencrypt\/live\/localhost/g, folder)
        .replaceAll(/listen \[::\]:\d+[^;]*;/g, '')
        .replaceAll('listen 443', `listen 127.0.0.1:${secure}`)
        .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
        .replaceAll(operatorNetworks, '')
        .replaceAll('deny all;', 'allow 127.0.0.1; deny all;');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      return `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1;
        events {} http { access_log off; ${temporary.join(' ')}\n${text}\n}`;
    },
    command: (path, folder) => ['nginx', '-c', path, '-p', folder],
  },
  {
    name: 'caddy',
    configure({ secure, plain, service }, folder) {
      const text = example('Caddyfile')
        .replaceAll(
          /^music\.example\.org \{/gm,
          `localhost:${secure} {\n\tbind 127.0.0.1\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
        )
        .replaceAll('127.0.0.1:4880', `127.0.0.1:${service}`)
        .replaceAll(/not remote_ip .*/g, 'not remote_ip 127.0.0.1');
      return `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${secure}\n}\n${text}`;
    },
    command: (path) => ['caddy', 'run', '--config', path, '--adapter', 'caddyfile'],
  },
];

const isInstalled = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

for (const { name, configure, command } of proxies) {
  describe(`the example for ${name}`, {
    skip: isInstalled(name) ? false : `${name} is not installed`,
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), `cratebase-${name}-`));
    let service: Served;
    let proxy: ChildProcess;
    let ports: Ports;

    before(async () => {
      const { key, cert } = makeCertificate();
      writeFileSync(join(folder, 'fullchain.pem'), cert);
      writeFileSync(join(folder, 'privkey.pem'), key);
      const secure = await freePort();
      service = await serve(
        `--base-url https://localhost:${secure} --trust-proxy --metrics-token 0123456789abcdef`,
        { cwd: folder },
      );
      ports = { secure, plain: await freePort(), service: service.port };
      const path = join(folder, 'proxy.conf');
      writeFileSync(path, configure(ports, folder));
      mkdirSync(join(folder, 'home'));
      const [program = '', ...args] = command(path, folder);
      let stderr = '';
      proxy = spawn(program, args, {
        env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      proxy.stderr?.on('data', (text) => {
        stderr += text;
      });
      for (let tries = 0; ; tries++) {
        if (proxy.exitCode !== null || tries > 200) throw new Error(`${name} did not start: ${stderr}`);
        if (
          await get({ port: secure, path: '/healthz' }).then(
            ({ status }) => status === 200,
            () => false,
          )
        )
          return;
        await delay(50);
      }
    });
    after(async () => {
      // SIGKILL would leave nginx's worker behind.
      if (proxy?.kill('SIGTERM')) await once(proxy, 'exit');
      await service?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test('pages come over TLS, with its headers, and compressed', async () => {
      const plain = await get({ port: ports.secure, path: '/artists' });
      assert.equal(plain.status, 200);
      assert.match(String(plain.headers['strict-transport-security']), /max-age=\d{7}/);
      assert.equal(plain.headers['content-encoding'], undefined);
      const small = await get({
        port: ports.secure,
        path: '/artists',
        headers: { 'accept-encoding': 'gzip' },
      });
      assert.equal(small.headers['content-encoding'], 'gzip');
      assert.match(String(small.headers.vary), /accept-encoding/i);
      assert.ok(small.size * 2 < plain.size, `${small.size} and ${plain.size} bytes`);
      const { headers } = await get({
        port: ports.secure,
        path: '/openapi.json',
        headers: { 'accept-encoding': 'gzip' },
      });
      assert.equal(headers['content-encoding'], 'gzip');
    });

    test('pages that hold secret tokens are not compressed', async () => {
      const headers = { 'accept-encoding': 'zstd, br, gzip' };
      for (const path of ['/account/sign-in', '/account/sign-up', '/admin/setup', '/admin/sign-in']) {
        const answer = await get({ port: ports.secure, path, headers });
        assert.equal(answer.headers['content-encoding'], undefined, path);
        assert.match(String(answer.headers['cache-control']), /no-store/, path);
      }
    });

    test('an unchanged page is not sent again', async () => {
      const headers = { 'accept-encoding': 'gzip' };
      const first = await get({ port: ports.secure, path: '/artists', headers });
      const again = await get({
        port: ports.secure,
        path: '/artists',
        headers: { ...headers, 'if-none-match': String(first.headers.etag) },
      });
      assert.deepEqual([again.status, again.size], [304, 0]);
    });

    test('a plain address leads to the secure one', async () => {
      const { status, headers } = await get({ port: ports.plain, path: '/artists' }, plainRequest);
      assert.ok([301, 308].includes(status), String(status));
      assert.match(String(headers.location), /^https:\/\/localhost(:\d+)?\/artists$/);
    });

    test('the console and the metrics are for the networks of the operators, whatever a request claims', async () => {
      for (const path of ['/admin', '/admin/accounts', '/metrics']) {
        const near = await get({ port: ports.secure, path });
        const far = await get({
          port: ports.secure,
          path,
          from: '127.0.0.2',
          headers: { 'x-forwarded-for': '127.0.0.1' },
        });
        assert.equal(far.status, 403, path);
        assert.notEqual(near.status, 403, path);
      }
      assert.equal((await get({ port: ports.secure, path: '/artists', from: '127.0.0.2' })).status, 200);
    });

    test('the service sees the address of the visitor and not one that a request claims', async () => {
      const from = '127.0.0.3';
      const origin = `https://localhost:${ports.secure}`;
      const headers = { host: `localhost:${ports.secure}`, 'x-forwarded-for': '203.0.113.7' };
      const form = await get({ port: ports.secure, path: '/account/sign-in', from, headers });
      assert.equal(form.status, 200);
      const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(form.body) ?? [];
      const fields = new URLSearchParams({ csrf, email: 'ada@example.com', password: 'not-the-password' });
      const cookie = String(form.headers['set-cookie']).split(';')[0] ?? '';
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      await get({
        port: ports.secure,
        path: '/account/sign-in',
        from,
        headers: { ...headers, ...type, origin, cookie },
        body: String(fields),
      });
      const entry = service.log().find(({ message }) => message === 'sign-in failed');
      assert.equal(entry?.address, from);
    });
  });
}
