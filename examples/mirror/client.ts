/** Requests to a cratebase service: the key, waiting when it says so, and bodies line by line. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Line } from './store.ts';

type Manifest = {
  export: string;
  revision: number;
  epoch: string;
  files: { name: string; sha256: string; bytes: number }[];
};

/** The service no longer has the history of this mirror: the mirror must start again. */
export class HistoryLost extends Error {}

export class Client {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Sends a request, and repeats it later if the service asks for that. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.#url + path, {
        headers: { authorization: `Bearer ${this.#key}`, ...headers },
      });
      if (response.ok || response.status === 404) return response;
      const text = await response.text();
      if (response.status === 410) throw new HistoryLost(text);
      const isTemporary = response.status === 429 || response.status >= 500;
      if (!isTemporary || attempt === 8) throw new Error(`${path}: ${response.status} ${text}`);
      const seconds = Number(response.headers.get('retry-after')) || attempt;
      await sleep(Math.min(seconds, 60) * 1_000);
    }
  }

  /** The lines of a response. A stream that breaks throws. */
  async *lines(path: string): AsyncGenerator<Line> {
    const response = await this.get(path);
    if (response.status !== 200 || response.body === null) throw new Error(`${path}: ${response.status}`);
    yield* parseLines(Readable.fromWeb(response.body as never));
  }

  /** The manifest of the newest export; null if the service makes none. */
  async manifest(): Promise<Manifest | null> {
    const response = await this.get('/exports/catalogue.json');
    return response.status === 404 ? null : ((await response.json()) as Manifest);
  }

  /**
   * Downloads a file of an export. An interrupted download continues where it stopped. Returns false if the export was
   * removed meanwhile.
   */
  async download(manifest: Manifest, name: string, target: string): Promise<boolean> {
    const file = manifest.files.find((one) => one.name === name);
    if (file === undefined) throw new Error(`the export has no ${name}`);
    // The digest in the name keeps parts of different exports apart.
    const part = `${target}.${file.sha256.slice(0, 12)}.part`;
    const start = existsSync(part) ? statSync(part).size : 0;
    if (start < file.bytes) {
      const range = start === 0 ? {} : { range: `bytes=${start}-`, 'if-range': `"${file.sha256}"` };
      const response = await this.get(`/exports/${manifest.export}/${name}`, range);
      if (response.status === 404 || response.body === null) return false;
      const flags = response.status === 206 ? 'a' : 'w';
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part, { flags }));
    }
    if ((await sha256Of(part)) !== file.sha256) {
      rmSync(part);
      return false;
    }
    renameSync(part, target);
    return true;
  }
}

/** The lines of a compressed file. */
export const fileLines = (path: string): AsyncGenerator<Line> =>
  parseLines(createReadStream(path).pipe(createGunzip()));

async function* parseLines(source: Readable): AsyncGenerator<Line> {
  let failure: Error | null = null;
  source.on('error', (error) => {
    failure = error;
  });
  for await (const text of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      throw new Error('the stream broke off within a line');
    }
    yield line;
  }
  if (failure !== null) throw failure;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
