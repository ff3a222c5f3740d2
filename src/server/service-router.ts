/** The router of a service, and its endpoints for operators: health, metrics and "not found". */
import polka, { type Polka } from 'polka';
import { type App, programVersion } from '../app.ts';
import { Problem } from '../contract/errors.ts';
import { processMetrics } from '../http/metrics.ts';
import { answerFailure, type RequestHandler } from '../http/server.ts';
import { describeFailure, type Log } from '../log.ts';
import type { SiteHandler } from '../site/handler.ts';
import type { HandlerContext, LoadedModules } from './load-modules.ts';

/** Returns the other endpoints of a service: health, metrics and "not found". */
export function serviceEndpoints(
  app: App,
  { handleServiceEndpoints, access }: LoadedModules,
  { config, log, baseUrl, totals, publication }: HandlerContext,
) {
  const isNode = app.cluster !== null;
  const watch = isNode
    ? null
    : app.file.watchLock((isStuck) =>
        isStuck
          ? log('error', 'another process has locked the data file for more than five seconds', {
              advice: 'an import or another program does not go on: end it',
            })
          : log('info', 'the data file is no longer locked'),
      );
  return handleServiceEndpoints({
    baseUrl,
    readIdentity: () => app.identity.current(),
    version: programVersion(),
    metricsToken: config.metricsToken,
    readRevision: () => readOrUnavailable(() => app.file.revisionOnDisk()),
    // A node of a cluster never writes to the catalogue that it serves.
    tryWrite: () => (isNode ? undefined : checkWritable(app, log)),
    isLocked: () => watch?.isStuck ?? false,
    publication: publication ?? (() => null),
    fileState: () => {
      const copy = publication?.();
      const { state } = app.file;
      return copy === undefined ? state : { ...state, checkedTs: copy.checkedTs, damage: copy.damage };
    },
    areAccountsReachable: () => app.areAccountsReachable(),
    missingRights: () => app.missingRights(),
    sourceStates: () => app.sourceRuns.states(),
    sourceMetrics: () => app.metrics.sources(),
    fileMetrics: () => app.metrics.file(),
    undecidedPairs: () => app.metrics.undecidedPairs(),
    backupMetrics: () => (config.backupDir === null ? null : app.metrics.backups(config.backupDir)),
    exportMetrics: () => (config.exportDir === null ? null : app.metrics.exports(config.exportDir)),
    changesFrom: () => app.exports.changesFrom(),
    plansInForce: () => access.plans.forPages(),
    compress: config.compression === 'on',
    totals: totals ?? (async () => processMetrics()),
  });
}

type ServiceEndpoints = ReturnType<typeof serviceEndpoints>;

/** Creates the router without routes. Unmatched requests go to the public pages, then to `endpoints`. */
export function createRouter(site: SiteHandler | undefined, endpoints: ServiceEndpoints, log: Log): Polka {
  return polka({
    onNoMatch: (request, response) => {
      if (site?.handle(request, response)) return;
      endpoints(request, response).catch((failure: unknown) => {
        const isMissing = failure instanceof Problem && failure.type === 'not_found';
        if (isMissing && site?.sendNotFound(request, response)) return;
        answerFailure(failure, response, log);
      });
    },
    onError: (failure, _request, response) => answerFailure(failure, response, log),
  });
}

/** Creates a router without routes, whose unmatched requests go to another handler. */
export const createRouterTo = (other: RequestHandler, log: Log): Polka =>
  polka({
    onNoMatch: other,
    onError: (failure, _request, response) => answerFailure(failure, response, log),
  });

/** Throws if the file cannot be written, and logs it even if no other request fails. */
function checkWritable(app: App, log: Log): void {
  try {
    app.file.tryWrite();
  } catch (failure) {
    log('warn', 'the data file cannot be written', describeFailure(failure));
    throw failure;
  }
}

/** Logs a warning: an unconfigured proxy makes all callers look like one. */
export function reportProxy(app: App, log: Log): void {
  log('warn', 'requests come through a proxy', {
    advice:
      'start with --trust-proxy, or all visitors share the limits of one, and with --base-url as the address that people use',
  });
  if (app.cluster !== null) return;
  try {
    app.services.recordProxySeen();
  } catch (failure) {
    log('warn', 'the proxy could not be noted', describeFailure(failure));
  }
}

/** Maps errors of an unreadable file to "unavailable" instead of an internal error. */
function readOrUnavailable<T>(read: () => T): T {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof Problem) throw failure;
    throw new Problem('unavailable', 'The data file cannot be read at present.');
  }
}
