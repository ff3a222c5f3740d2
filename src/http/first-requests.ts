/**
 * Keeps the first connections, requests and responses of a server in memory for a while, which makes all later ones fast.
 *
 * V8 decides from the first seven objects of a class how much room such an object gets, and sees only the shapes that
 * are in memory then. After a start, requests may be so rare that the garbage collection has removed the objects and
 * their shapes in between. All later objects then get too little room, and V8 turns each of them into a hash table
 * (docs/decisions/76-first-requests.md).
 */
import type { Server } from 'node:http';

/** V8 decides when it makes the seventh object (`kSlackTrackingCounterStart`). */
const enough = 8;

/** Keeps the first connections, requests and responses of `server` until there were eight of each. */
export function keepFirstRequests(server: Server): void {
  keepFirst(server, 'connection');
  keepFirst(server, 'request');
}

/** Keeps what the first events of a kind pass to their listeners. */
function keepFirst(server: Server, event: 'connection' | 'request'): void {
  const objects: unknown[] = [];
  const keep = (...args: unknown[]): void => {
    objects.push(args);
    if (objects.length < enough) return;
    server.off(event, keep);
    objects.length = 0;
  };
  server.on(event, keep);
}
