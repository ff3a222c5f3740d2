/** Shows that a source is being read or removed, and updates the page when that ends (`pages/progress-script.ts`). */
import type { VNode } from 'preact';
import { assetPaths } from '../../pages/assets.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import type { StaffRequest } from '../admin-request.ts';
import { withQuery } from '../parts.tsx';

/** How long a page waits for a run that did not begin, in ms: while nothing else is read, and while something is. */
const maxWaitMs = { idle: 30_000, busy: 30 * 60_000 };

/** What the script of the page asks for: whether the work goes on, and the text about it. */
export type Progress = { busy: boolean; text: string };

/** The parameters of a page that was asked to read a source: its last run before, and when (ms since 1970). */
export function startedQuery(visit: StaffRequest, name: string): Record<string, string | number> {
  const { service } = visit.deps;
  return { after: service.sourceProgress(name)?.lastRun ?? 0, at: Date.now() };
}

const readNumber = (text: string | null): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

/** How far the reading of a source is; null if the page neither waits for a run nor is there one. */
export function readingProgress(visit: StaffRequest, name: string): Progress | null {
  const { service } = visit.deps;
  const { progress } = visit.messages.consoleSources;
  const state = service.sourceProgress(name);
  if (state?.isRunning) return { busy: true, text: progress.reading };
  const at = readNumber(visit.query.get('at'));
  if (at === 0) return null;
  if (state !== undefined && state.lastRun > readNumber(visit.query.get('after')))
    return { busy: false, text: progress.read };
  const maxMs = service.runningSources().length === 0 ? maxWaitMs.idle : maxWaitMs.busy;
  if (Date.now() - at < maxMs) return { busy: true, text: progress.waiting };
  return { busy: false, text: progress.idle };
}

/** How far the removal of a source is, and whether a source is being read; null if neither. */
export function listProgress(visit: StaffRequest): Progress | null {
  const { service } = visit.deps;
  const { progress } = visit.messages.consoleSources;
  const purged = visit.query.get('purge');
  if (purged !== null && service.sourceProgress(purged)?.exists)
    return { busy: true, text: progress.purging(purged) };
  if (service.runningSources().length > 0) return { busy: true, text: progress.listReading };
  return purged === null || !wasRemoved(visit, purged)
    ? null
    : { busy: false, text: progress.purged(purged) };
}

/** Whether the last change of a source was its removal: an address alone does not make the page say so. */
function wasRemoved(visit: StaffRequest, name: string): boolean {
  return visit.deps.service.lastSourceEntry(name)?.action === 'source.remove';
}

/** The notice about work that goes on, with a link to reload the page where scripts do not run. */
export function ProgressNotice(props: { visit: StaffRequest; path: string; progress: Progress }): VNode {
  const { visit, path, progress } = props;
  const { reload } = useMessages().consoleSources.progress;
  const address = visit.path(withQuery(path, Object.fromEntries(visit.query)));
  return (
    <div
      class={progress.busy ? 'notice actions-below' : 'notice good actions-below'}
      role="status"
      data-progress={progress.busy ? address : undefined}
    >
      <span>{progress.text}</span>{' '}
      {progress.busy && <a href={visit.path(visit.request.url ?? '')}>{reload}</a>}
      {progress.busy && <script src={visit.path(assetPaths.progressScript)} defer />}
    </div>
  );
}

/** GET /admin/source/progress: how far the reading of a source is, as JSON. */
export function sendSourceProgress(visit: StaffRequest): void {
  const name = visit.query.get('name') ?? '';
  const { idle, read } = visit.messages.consoleSources.progress;
  const isKnown = visit.deps.service.sourceProgress(name) !== undefined;
  const fallback: Progress = { busy: false, text: isKnown ? read : idle };
  visit.sendJson(readingProgress(visit, name) ?? fallback);
}

/** GET /admin/sources/progress: whether sources are being read or removed, as JSON. */
export function sendListProgress(visit: StaffRequest): void {
  const { listRead } = visit.messages.consoleSources.progress;
  visit.sendJson(listProgress(visit) ?? { busy: false, text: listRead });
}
