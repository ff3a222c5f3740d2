/** The pages about sources: list, one source, add, remove. */
import type { AdminRoute } from '../route.ts';
import { addSource, previewSource, showAddSource } from './add.tsx';
import { changeSource } from './changes.ts';
import { decideHeld, showHeld } from './held.tsx';
import { showRejected, showRuns } from './history.tsx';
import { showSources } from './list.tsx';
import { confirmRemoval, removeSource } from './remove.tsx';
import { showSource } from './source.tsx';

export const sourceRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/sources', role: 'editor', handle: showSources },
  { method: 'GET', path: '/admin/sources/add', role: 'editor', handle: (visit) => showAddSource(visit) },
  { method: 'POST', path: '/admin/sources/preview', role: 'editor', handle: previewSource },
  { method: 'POST', path: '/admin/sources/add', role: 'editor', handle: addSource },
  { method: 'GET', path: '/admin/source', role: 'editor', handle: showSource },
  { method: 'POST', path: '/admin/source', role: 'editor', maxFormBytes: 65_536, handle: changeSource },
  { method: 'GET', path: '/admin/source/held', role: 'editor', handle: showHeld },
  { method: 'POST', path: '/admin/source/held', role: 'editor', maxFormBytes: 65_536, handle: decideHeld },
  { method: 'GET', path: '/admin/source/runs', role: 'editor', handle: showRuns },
  { method: 'GET', path: '/admin/source/rejected', role: 'editor', handle: showRejected },
  { method: 'GET', path: '/admin/source/remove', role: 'editor', handle: confirmRemoval },
  { method: 'POST', path: '/admin/source/remove', role: 'editor', handle: removeSource },
];
