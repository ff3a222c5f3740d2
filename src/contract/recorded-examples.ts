/** Recorded responses, which the documentation shows as examples. */
import { readAsset } from '../assets.ts';
import type { OperationId } from './operations.ts';

/** A request to the starter catalogue and its response, recorded by `npm run docs`. */
export type RecordedExample = { path: string; body: unknown };
/** Returns the recorded responses with the links of a service at this base URL. */
export const examples = (baseUrl: string): Record<OperationId, RecordedExample> =>
  JSON.parse(readAsset('src/contract/examples.json').replaceAll('{base_url}', baseUrl)) as Record<
    OperationId,
    RecordedExample
  >;
