/** Checks of `doctor`: the scheduled backups. */
import type { App } from '../app.ts';
import { formatDuration } from '../clock.ts';
import { formatBytes } from '../format-bytes.ts';
import { plural } from '../plural.ts';
import type { AddFinding } from './check-service.ts';
import { describeFailures, describeLast, isLate, isScheduled } from './schedule-findings.ts';

/** Reports when the last scheduled backup was made, and whether the last run failed. */
export async function checkBackups(app: App, add: AddFinding): Promise<void> {
  const report = await app.backups.report();
  if (report === null) {
    add('backups', 'ok', isScheduled(app, 'backup-dir') ? 'scheduled, none made yet' : 'none are scheduled');
    return;
  }
  const { folder, folder_error: folderError, failures, backups } = report;
  const failure = backups.find(({ ok }) => !ok);
  if (folderError !== null) {
    const message = `The folder of the backups, ${folder}, cannot be read (${folderError}).`;
    add('backups', 'warning', message, 'Mount or create it, or name another one with --backup-dir.');
  } else if (failures > 0 && failure !== undefined) {
    const message = `The last backup failed (${describeFailures(failures)}): ${failure.error}`;
    add('backups', 'warning', message, `The service tries again; ${describeLast(report)}`);
  } else if (isLate(report)) {
    const message = `A backup is due every ${formatDuration(report.every_ms)}, but ${describeLast(report)}`;
    add('backups', 'warning', message, 'Check that the service runs with --backup-dir.');
  } else {
    const copies = backups.filter(({ ok }) => ok);
    const size = formatBytes(copies[0]?.bytes ?? 0);
    add(
      'backups',
      'ok',
      `${describeLast(report)} (${size}); ${plural(copies.length, 'copy', 'copies')} in ${folder}`,
    );
  }
}
