/** Checks of `doctor`: the scheduled exports and the change feed. */
import type { ExportReport } from '../app.ts';
import { formatDuration } from '../clock.ts';
import { formatBytes } from '../format-bytes.ts';
import type { AddFinding } from './check-service.ts';
import { describeFailures, describeLast, isLate } from './schedule-findings.ts';

const advice = 'Check that the service runs with --export-dir, or export with `cratebase export --dir`.';

/**
 * Reports the last export, and since which revision clients can follow the changes.
 * @param hasSchedule whether a running service makes exports
 */
export function checkExports(
  { exports, changes }: ExportReport,
  hasSchedule: boolean,
  add: AddFinding,
): void {
  const { revision, oldest_revision: oldest } = changes;
  add('changes', 'ok', `revision ${revision}; clients can continue from revision ${oldest}`);
  if (exports === null) {
    add('exports', 'ok', hasSchedule ? 'scheduled, none made yet' : 'none are scheduled');
    return;
  }
  const { failures, every_ms: every, folder } = exports;
  if (failures > 0) {
    const message = `The last export failed (${describeFailures(failures)}): ${exports.last_error}`;
    add('exports', 'warning', message, `The service tries again; ${describeLast(exports)}`);
  } else if (!exports.is_present) {
    add('exports', 'warning', `The last export is not in ${folder} any more.`, advice);
  } else if (!exports.is_current_epoch) {
    const message = `The last export is of another state of the data file: clients cannot continue from it.`;
    add('exports', 'warning', message, advice);
  } else if (isLate(exports)) {
    add(
      'exports',
      'warning',
      `An export is due every ${formatDuration(every)}, but ${describeLast(exports)}`,
      advice,
    );
  } else {
    const size = formatBytes(exports.bytes ?? 0);
    add('exports', 'ok', `${describeLast(exports)} (${size}, revision ${exports.revision}) in ${folder}`);
  }
}
