/** A client whose paths, parameters and fields are those of the OpenAPI document. */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type CityItem = components['schemas']['CityItem'];
export type EventItem = components['schemas']['EventItem'];
export type Cratebase = Client<paths>;

/** @param baseUrlPlaceholder the address of the service, such as http://127.0.0.1:4880 */
export const connect = (base: string, key: string): Cratebase =>
  createClient<paths>({ baseUrl: `${base}/api/v1`, headers: { Authorization: `Bearer ${key}` } });

/** An answer of a list, as openapi-fetch gives it. */
type Answer<T> = {
  data?: { data: T[]; page: { next_cursor: string | null; has_more: boolean } };
  error?: { error: { type: string; message: string } };
};

/** Every entry of a list, page by page. `ask` makes one request with the cursor it is given. */
export async function* walk<T>(ask: (cursor: string | undefined) => Promise<Answer<T>>): AsyncGenerator<T> {
  for (let cursor: string | undefined; ; ) {
    const { data, error } = await ask(cursor);
    if (data === undefined) throw new Error(`${error?.error.type}: ${error?.error.message}`);
    yield* data.data;
    if (data.page.next_cursor === null) return;
    cursor = data.page.next_cursor;
  }
}
