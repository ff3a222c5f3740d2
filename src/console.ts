/** Connects the console (`src/admin`) to the open data file, and to the state of the running service. */
import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Polka } from 'polka';
import type { Access } from './access/access.ts';
import { mountAdmin } from './admin/handler.ts';
import { createPairCounter } from './admin/overview/pair-count.ts';
import type { BackupOverview, ExportOverview, IdentityStore, ServiceReader } from './admin/service-reader.ts';
import { type App, type BackupReport, type ExportState, problemForState, programVersion } from './app.ts';
import type { ActionRunner } from './contract/action-runner.ts';
import { Failure } from './failure.ts';
import { type ProcessMetrics, processMetrics } from './http/metrics.ts';
import { lastDay } from './http/request-history.ts';
import type { PublicationState } from './http/service-endpoints.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { SiteUrl } from './pages/site-url.ts';

type ConsoleOptions = {
  access: Access;
  log: Log;
  siteUrl: SiteUrl;
  baseUrl: string;
  trustProxy: boolean;
  /** Whether people sign in with a password of this service. */
  localPasswords: boolean;
  /** Sends mails; null: the service sends none. */
  mail: Mailer | null;
  /** Runs actions of the catalogue; absent: the console only reads it. */
  runAction: ActionRunner | undefined;
  /** Counts of all server processes; by default those of this process only. */
  totals: (() => Promise<ProcessMetrics>) | undefined;
  /** Changes the identity of the service; absent: in the open data file. */
  setIdentity: SetServiceIdentity | undefined;
  /** What a node of a cluster serves. */
  publication: (() => PublicationState) | undefined;
};

/** Changes name, logo, colours, links or texts of the service. The audit log names `actor`, the person who changes them. */
export type SetServiceIdentity = IdentityStore['set'];

/** Mounts the console below `/admin`. It reads the open data file; records and sources change through `runAction`. */
export function mountConsole(router: Polka, app: App, options: ConsoleOptions): void {
  const { runAction = refuseActions, totals = async () => processMetrics(), ...others } = options;
  const { setIdentity, publication, ...rest } = others;
  const service = createServiceReader(app, { totals, runAction, publication });
  mountAdmin(router, {
    ...rest,
    clock: app.clock,
    runAction,
    service,
    identity: identityOf(app, setIdentity),
  });
}

/** Connects the identity of the service. */
const identityOf = (app: App, set: SetServiceIdentity | undefined): IdentityStore => ({
  fields: () => app.identity.settings(),
  check: (changes) => app.identity.check(changes),
  cities: () => app.identity.suggestCities(),
  set: set ?? ((changes, actor) => app.identity.set(changes, actor)),
});

const refuseActions: ActionRunner = () =>
  Promise.reject(new Failure('This process cannot change the catalogue. Use the terminal.'));

type ServiceParts = Pick<ConsoleOptions, 'publication'> & {
  totals: () => Promise<ProcessMetrics>;
  runAction: ActionRunner;
};

function createServiceReader(app: App, { totals, runAction, publication }: ServiceParts): ServiceReader {
  const [auditLog, fileAudit] = [app.audit(), app.auditLog()];
  return {
    async facts() {
      const { schema, sqlite, revision, last_synced_ts, accounts, keys, has_forgotten_traces } =
        await app.facts();
      const version = programVersion();
      return {
        version,
        schema,
        sqlite,
        revision,
        lastSyncedTs: last_synced_ts,
        hasForgottenTraces: has_forgotten_traces,
        accounts,
        keys,
      };
    },
    file: () => ({
      path: resolve(app.path),
      bytes: readOrNull(() => statSync(app.path).size),
      logBytes: app.file.state.logBytes,
      freeBytes: readOrNull(() => {
        const { bavail, bsize } = statfsSync(dirname(resolve(app.path)));
        return bavail * bsize;
      }),
      problem: problemForState(app.file.state)?.message ?? null,
      ...describeCheck(app, publication?.()),
    }),
    sources: () =>
      app.sourceRuns.states().map(({ name, failures, rejected, last_success_at, next_run_at }) => ({
        name,
        failures,
        rejected,
        lastSuccessTs: last_success_at === null ? null : Date.parse(last_success_at),
        nextTs: Date.parse(next_run_at),
      })),
    runningSources: () => app.sourceRuns.running.names(),
    sourceProgress: (name) => app.sourceRuns.running.find(name),
    catalogue: () => ({
      ...app.stats(),
      samples: app.starter.countSampleEvents(),
      sources: app.sourceRuns.countSources(),
    }),
    requests: async () => lastDay((await totals()).history, Date.now()),
    auditEntries: (filter) => auditLog.list(filter),
    lastSourceEntry: (name) => fileAudit.list({ subjectKind: 'source', subject: name, limit: 1 })[0],
    auditEntry: (id) => auditLog.find(id),
    openPairs: createPairCounter(
      async (caller) => (await runAction<{ total: number }>('review.count', {}, caller)).total,
      () => app.metrics.undecidedPairs(),
    ),
    backups: async () => {
      const report = await app.backups.report();
      return report === null ? null : summarizeBackups(report);
    },
    exports: () => summarizeExports(app.exports.state()),
    settings: () =>
      app.services.running().find(({ pid }) => pid === process.pid || pid === process.ppid)?.settings ?? null,
  };
}

/** The last check of the data file; in a cluster, of the copy of this node, which replaces a damaged one itself. */
function describeCheck({ file }: App, copy: PublicationState | undefined) {
  if (copy === undefined) return { checkedTs: file.state.checkedTs, damage: file.state.damage };
  const problem =
    'The copy of the catalogue on this node is damaged. The node downloads the published one again.';
  return { checkedTs: copy.checkedTs, damage: [], ...(copy.damage.length > 0 && { problem }) };
}

function summarizeBackups(report: BackupReport): BackupOverview {
  const { folder, last_success_at: lastSuccess, failures, folder_error: folderError, backups } = report;
  const copies = backups.filter(({ ok }) => ok);
  const lastFailure = failures === 0 ? undefined : backups.find(({ ok }) => !ok);
  return {
    folder,
    lastSuccessTs: lastSuccess === null ? null : Date.parse(lastSuccess),
    bytes: copies[0]?.bytes ?? null,
    copies: copies.length,
    failures,
    error: folderError === null ? (lastFailure?.error ?? null) : `The folder cannot be read: ${folderError}.`,
  };
}

function summarizeExports(state: ExportState | null): ExportOverview | null {
  if (state === null) return null;
  const { folder, last, failures } = state;
  return {
    folder,
    last: last && {
      endedTs: last.endedTs,
      revision: last.revision ?? 0,
      records: last.records ?? 0,
      bytes: last.bytes ?? 0,
    },
    failures,
  };
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    // The file may be missing for a while; the page shows the rest.
    return null;
  }
}
