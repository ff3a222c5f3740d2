/** The pages about sources: list, one source, add, remove. */
import type { AdminRoute } from '../route.ts';
import { addSource, previewSource, showAddSource } from './add.tsx';
import { changeSource } from './changes.ts';
import { withMissing } from './failures.tsx';
import { decideHeld, showHeld } from './held.tsx';
import { showRejected, showRuns } from './history.tsx';
import { showSources } from './list.tsx';
import { sendListProgress, sendSourceProgress } from './progress.tsx';
import { confirmRemoval, removeSource } from './remove.tsx';
import { showSource } from './source.tsx';

const role = 'editor';
/** Settings have long lists of patterns, each sent twice: as it was shown, and as it is. A page of held records has up to 50 ids. */
const maxFormBytes = 65_536;

export const sourceRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/sources', role, handle: showSources },
  { method: 'GET', path: '/admin/sources/progress', role, handle: sendListProgress },
  { method: 'GET', path: '/admin/sources/add', role, handle: showAddSource },
  { method: 'POST', path: '/admin/sources/preview', role, handle: previewSource },
  { method: 'POST', path: '/admin/sources/add', role, handle: addSource },
  { method: 'GET', path: '/admin/source/progress', role, handle: sendSourceProgress },
  ...withMissing([
    { method: 'GET', path: '/admin/source', role, handle: showSource },
    { method: 'POST', path: '/admin/source', role, maxFormBytes: 2 * maxFormBytes, handle: changeSource },
    { method: 'GET', path: '/admin/source/held', role, handle: showHeld },
    { method: 'POST', path: '/admin/source/held', role, maxFormBytes: 2 * maxFormBytes, handle: decideHeld },
    { method: 'GET', path: '/admin/source/runs', role, handle: showRuns },
    { method: 'GET', path: '/admin/source/rejected', role, handle: showRejected },
    { method: 'GET', path: '/admin/source/remove', role, handle: confirmRemoval },
    { method: 'POST', path: '/admin/source/remove', role, handle: removeSource },
  ]),
];
