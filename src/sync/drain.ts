/** Working out what waits: records whose parts changed, then places in search. */
import type { Batches } from './batches.ts';
import type { Workbench } from './workbench.ts';

/** How many are looked up at a time. */
const some = 200;

/** Until nothing waits any more. To be called between transactions. */
export async function drain(bench: Workbench, batches: Batches): Promise<void> {
  const { lookup } = bench.context;
  for (let waiting = lookup.stale(some); waiting.length > 0; waiting = lookup.stale(some)) {
    for (const id of waiting) {
      batches.begin();
      lookup.clearStale(id);
      bench.refresh(id);
      if (batches.isDue()) await batches.commit();
    }
    await batches.commit();
  }
  for (let more = true; more; ) {
    batches.begin();
    do more = bench.names.drainStale(50) > 0;
    while (more && !batches.isDue());
    await batches.commit();
  }
}
