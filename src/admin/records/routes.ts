/** The pages about records: search, one record, and what an editor does with it. */
import type { AdminRoute } from '../route.ts';
import { addRecord, showAddRecord } from './add.tsx';
import { changeRecord } from './changes.ts';
import { confirmChange } from './confirm.tsx';
import { confirmForget } from './forget.tsx';
import { showRecordPage } from './record.tsx';
import { showSearch } from './search.tsx';

export const recordRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/records', role: 'editor', handle: showSearch },
  { method: 'GET', path: '/admin/add-record', role: 'editor', handle: showAddRecord },
  { method: 'POST', path: '/admin/add-record', role: 'editor', maxFormBytes: 262_144, handle: addRecord },
  { method: 'GET', path: '/admin/records/*', role: 'editor', handle: showRecordPage },
  { method: 'GET', path: '/admin/records/*/confirm', role: 'editor', handle: confirmChange },
  { method: 'GET', path: '/admin/records/*/forget', role: 'editor', handle: confirmForget },
  { method: 'POST', path: '/admin/records/*', role: 'editor', maxFormBytes: 262_144, handle: changeRecord },
];
