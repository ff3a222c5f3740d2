/** Objects in S3-compatible storage, below a prefix. Addresses have the bucket in the path. */
import type { ObjectStore, StoredObject } from '../objects.ts';
import type { S3Place } from './address.ts';
import { type S3Limits, S3Requests, textBetween } from './requests.ts';

const objectName = /^[0-9a-f]{64}$/;

/** A store of objects in a bucket. Methods reject with an `S3Failure` that has advice. */
export class S3Objects implements ObjectStore {
  requireCurrent?: () => Promise<void>;
  readonly #requests: S3Requests;
  readonly #prefix: string;

  constructor(place: S3Place, limits?: Partial<S3Limits>) {
    this.#requests = new S3Requests(place, limits);
    this.#prefix = place.prefix;
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    await this.#requests.send({ method: 'PUT', name: checked(name), body: content });
  }

  async get(name: string): Promise<Uint8Array | null> {
    const { status, body } = await this.#requests.send({ method: 'GET', name: checked(name) });
    return status === 404 ? null : body;
  }

  /** Lists the objects directly below the prefix (ListObjectsV2). */
  async *list(): AsyncGenerator<StoredObject> {
    let next: string | null = null;
    do {
      const query: Record<string, string> = { 'list-type': '2', prefix: this.#prefix, delimiter: '/' };
      if (next !== null) query['continuation-token'] = next;
      const { body } = await this.#requests.send({ method: 'GET', name: '', query });
      const text = body.toString('utf8');
      for (const part of text.split('<Contents>').slice(1)) {
        const name = textBetween(part, '<Key>', '</Key>')?.slice(this.#prefix.length) ?? '';
        if (!objectName.test(name)) continue;
        const storedMs = Date.parse(textBetween(part, '<LastModified>', '</LastModified>') ?? '');
        yield { name, bytes: Number(textBetween(part, '<Size>', '</Size>')), storedMs };
      }
      const token = textBetween(text, '<NextContinuationToken>', '</NextContinuationToken>');
      next = token === null ? null : unescapeXml(token);
    } while (next !== null);
  }

  /** Compares the age by the clock of the storage. */
  async delete(name: string, minAgeMs: number): Promise<void> {
    if (minAgeMs > 0) {
      const { status, headers } = await this.#requests.send({ method: 'HEAD', name: checked(name) });
      if (status === 404) return;
      const storedMs = Date.parse(String(headers['last-modified']));
      const nowMs = Date.parse(String(headers.date));
      // A time that cannot be read keeps the object.
      if (!(nowMs - storedMs >= minAgeMs)) return;
    }
    await this.#requests.send({ method: 'DELETE', name: checked(name) });
  }

  close(): Promise<void> {
    return this.#requests.close();
  }
}

function checked(name: string): string {
  if (!objectName.test(name)) throw new Error('an object has a name that is not a SHA-256');
  return name;
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const unescapeXml = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] as string);
