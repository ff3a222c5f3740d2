/** Opens what a node serves: with PostgreSQL, or with the catalogue in its folder while PostgreSQL is away. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClusterAccess,
  type ClusterAddressParts,
  type ClusterNode,
  clockFor,
  isBaseMissing,
  isClusterAway,
  isSlotDamaged,
  type NodeOptions,
  objectsOpener,
  openCluster,
  openClusterWith,
  openNode,
  openNodeAway,
  readKeptNode,
} from '../../../app.ts';
import { describeFailure, type Log, rightsAdvice, throttleRepeats } from '../../../log.ts';
import type { Settings } from '../../../settings.ts';
import { openSlot } from './open-slot.ts';
import { SlotApps } from './slot-apps.ts';

const retryMs = 500;
/** How often the whole catalogue is fetched again while objects are missing (ms). */
const fetchAgainMs = 5_000;

export type OpenedNode = {
  access: ClusterAccess;
  node: ClusterNode;
  slots: SlotApps;
  /** PostgreSQL was away: the node serves what an earlier process left, and connects when it is started. */
  isAway: boolean;
};

export type NodeOpening = {
  config: Settings;
  members: ClusterAddressParts;
  log: Log;
  stopped: Promise<NodeJS.Signals>;
  /** What prepares and serves slots in all processes of the node. */
  readersOf: (slots: SlotApps) => NonNullable<NodeOptions['readers']>;
};

/**
 * Opens a node. While PostgreSQL is away and the folder has no catalogue to serve, or the published objects are not
 * enough to build the catalogue, it waits.
 * @returns null if the process was stopped meanwhile
 * @throws Failure if PostgreSQL answers and the node cannot start
 */
export async function openWhenPossible(opening: NodeOpening): Promise<OpenedNode | null> {
  const { log, stopped } = opening;
  const note = throttleRepeats(log, () => 'away');
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  while (!isStopped) {
    try {
      return await openConnected(opening);
    } catch (failure) {
      const { error } = describeFailure(failure);
      if (isBaseMissing(failure)) {
        note('warn', 'the catalogue cannot be fetched: the start waits for a whole copy', { error });
        await Promise.race([pause(fetchAgainMs), stopped]);
        continue;
      }
      if (!isClusterAway(failure)) throw failure;
      const keptNode = await openKept(opening);
      if (keptNode !== null) {
        log('warn', 'PostgreSQL is away: this node serves the public pages of the catalogue in its folder', {
          error,
        });
        return keptNode;
      }
      note('warn', 'PostgreSQL is away: the start waits for it', { error });
    }
    await Promise.race([pause(retryMs), stopped]);
  }
  return null;
}

async function openConnected(opening: NodeOpening): Promise<OpenedNode> {
  const { config, members, log } = opening;
  const access = await openCluster(members, clockFor(config));
  const rights = await access.missingRights();
  if (rights.length > 0)
    log('error', 'the role of PostgreSQL lacks rights', {
      missing: rights.join(', '),
      advice: rightsAdvice,
    });
  return withSlots(opening, access, async (slots) => {
    const node = await openNode(optionsOf(opening, access, slots));
    return { access, node, slots, isAway: false };
  });
}

async function openKept(opening: NodeOpening): Promise<OpenedNode | null> {
  const { config, members } = opening;
  const secret = await readKeptNode(config.data);
  if (secret === null) return null;
  const access = await openClusterWith(members, clockFor(config), secret);
  return withSlots(opening, access, async (slots) => {
    const node = await openNodeAway(optionsOf(opening, access, slots));
    return node && { access, node, slots, isAway: true };
  });
}

/** Opens a node, and closes the rest if that fails. */
async function withSlots<T extends OpenedNode | null>(
  { config, members }: NodeOpening,
  access: ClusterAccess,
  open: (slots: SlotApps) => Promise<T>,
): Promise<T> {
  const slots = new SlotApps((path) => openSlot(path, config, members, access));
  let result: T | null = null;
  try {
    result = await open(slots);
    return result;
  } finally {
    if (result === null) {
      slots.close();
      await access.closed();
    }
  }
}

const optionsOf = (
  { config, members, log, readersOf }: NodeOpening,
  { secret }: ClusterAccess,
  slots: SlotApps,
): NodeOptions => ({
  address: members,
  folder: config.data,
  secret,
  openObjects: objectsOpener(config.objects),
  readers: readersOf(slots),
  onProblem: problemLog(log),
});

/** Writes each reason once a minute: a node tries again every second. */
function problemLog(log: Log): (failure: unknown) => void {
  // Numbers and names of objects differ from one try to the next.
  const warn = throttleRepeats(log, ({ error }) => String(error).replace(/[0-9a-f]{16,}|\d+/g, '#'));
  return (failure) => {
    const { stack, ...described } = describeFailure(failure);
    if (isSlotDamaged(failure)) {
      warn('error', 'the copy of the catalogue on this node is damaged', described);
      return;
    }
    const isBug = failure instanceof TypeError || failure instanceof RangeError;
    warn('warn', 'the published catalogue cannot be followed', {
      ...described,
      ...(isBug && { stack }),
    });
  };
}
