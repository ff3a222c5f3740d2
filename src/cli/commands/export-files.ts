/** `export --out` and `export --dir`: writes files of all records, with a manifest. */
import type { Command } from 'commander';
import type { App, ExportFormat, ExportManifest } from '../../app.ts';
import { Failure } from '../../failure.ts';
import { formatBytes } from '../../format-bytes.ts';
import { plural } from '../../plural.ts';
import { printResult, withApp } from '../command.ts';
import { formatTable, Progress } from '../output/terminal.ts';
import { parseRetention } from '../retention.ts';
import { adoptIdentity, resolveBaseUrl } from '../running-service.ts';

/** What the command prints with `--json`. */
export type ExportResult = {
  folder: string;
  export: string;
  revision: number;
  epoch: string;
  records: number;
  bytes: number;
  files: ExportManifest['files'];
  removed: string[];
};
export type SkippedExportResult = { skipped: true; newest_at: string | null };

export type ExportFileOptions = {
  format?: string[];
  out?: string;
  dir?: string;
  keep?: string;
  every?: string;
};

const defaultKeep = 2;
const usageErrorStatus = 2;

/** Writes an export to a new folder (`--out`), or adds one to a folder of exports (`--dir`). */
export async function exportToFiles(command: Command, options: ExportFileOptions): Promise<void> {
  const { out, dir } = options;
  if (out !== undefined && dir !== undefined)
    throw new Failure('Name one folder: with --out or with --dir.', usageErrorStatus);
  if (dir === undefined && (options.keep !== undefined || options.every !== undefined))
    throw new Failure('--keep and --every work only together with --dir.', usageErrorStatus);
  const { exportFormats } = await import('../../app.ts');
  const formats = parseFormats(options.format, exportFormats);
  const result = await withApp(command, { readOnly: true }, async (app) => {
    const progress = new Progress('records');
    adoptIdentity(command, app);
    const baseUrl = resolveBaseUrl(command, app);
    const { name: service, attribution } = app.identity.current();
    const settings = {
      formats,
      now: app.clock.now(),
      baseUrl,
      service,
      attribution: attribution ?? `Data from ${service} (${baseUrl})`,
      onRecords: (count: number) => progress.update({ done: 0, total: null, count }),
    };
    const outcome =
      dir === undefined
        ? await writeNew(app, out ?? '.', settings)
        : await addTo(app, dir, options, settings);
    progress.end();
    return outcome;
  });
  if ('skipped' in result) {
    printResult(command, result, () =>
      result.newest_at === null
        ? 'Another process makes an export now.'
        : `The newest export is of ${result.newest_at}.`,
    );
    return;
  }
  printResult(command, result, () => describeExport(result));
}

type WriteSettings = Parameters<App['exports']['writeTo']>[1];

async function writeNew(app: App, out: string, settings: WriteSettings): Promise<ExportResult> {
  return toResult(out, await app.exports.writeTo(out, settings), []);
}

async function addTo(
  app: App,
  dir: string,
  options: ExportFileOptions,
  settings: WriteSettings,
): Promise<ExportResult | SkippedExportResult> {
  const limits = parseRetention(options, defaultKeep);
  const outcome = await app.exports.folder(dir).add({ ...settings, ...limits });
  if ('skipped' in outcome) {
    const newest = outcome.newestTs === null ? null : new Date(outcome.newestTs).toISOString();
    return { skipped: true, newest_at: newest };
  }
  return toResult(outcome.path, outcome.manifest, outcome.removed);
}

const toResult = (folder: string, manifest: ExportManifest, removed: string[]): ExportResult => ({
  folder,
  export: manifest.export,
  revision: manifest.revision,
  epoch: manifest.epoch,
  records: Object.values(manifest.records).reduce((sum, count) => sum + count, 0),
  bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
  files: manifest.files,
  removed,
});

function parseFormats(
  texts: string[] | undefined,
  formats: readonly ExportFormat[],
): readonly ExportFormat[] {
  const names = (texts ?? []).flatMap((text) => text.split(','));
  const unknown = names.find((name) => !formats.includes(name as ExportFormat));
  if (unknown !== undefined)
    throw new Failure(`--format is ${formats.join(', ')}, not ${JSON.stringify(unknown)}.`, usageErrorStatus);
  return names.length === 0 ? formats : formats.filter((name) => names.includes(name));
}

function describeExport({ folder, revision, records, bytes, files, removed }: ExportResult): string {
  const rows = files.map((file) => [
    file.name,
    formatBytes(file.bytes),
    file.records.toLocaleString('en'),
    file.sha256,
  ]);
  return [
    formatTable(['FILE', 'SIZE', 'RECORDS', 'SHA-256'], rows),
    '',
    `wrote ${plural(records, 'record')} at revision ${revision} to ${folder} (${formatBytes(bytes)})`,
    ...(removed.length === 0 ? [] : [`removed ${plural(removed.length, 'older export')}`]),
  ].join('\n');
}
