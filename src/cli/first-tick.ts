/**
 * Keeps an object of the queue of `process.nextTick` in memory, which makes all later calls fast
 * (docs/decisions/76-first-requests.md).
 *
 * Each call makes an object with members under symbols. V8 remembers the shape of such an object where it is made, but
 * only while one is in memory. If a garbage collection finds none, which an idle service makes likely, V8 takes the next
 * shape for a second one, and looks up each member of all later objects: 260 instead of 35 ns for a call, and several calls
 * per request.
 */
import { executionAsyncResource } from 'node:async_hooks';

const resources: object[] = [];

/**
 * Keeps the object of one call of `process.nextTick`. Call it first: from about the eighth call on, a lost shape is
 * never made good.
 * @returns where the object is kept once the call was made
 */
export function keepFirstTick(): readonly object[] {
  process.nextTick(() => resources.push(executionAsyncResource()));
  return resources;
}
