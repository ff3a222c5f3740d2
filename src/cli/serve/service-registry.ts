/** Registration of running services in the data file, for `doctor` and for commands that take over their settings. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type App, programVersion, type RunningService } from '../../app.ts';
import { localUrl, reportSettings } from '../../config.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';

/** Registers this process; returns a function that unregisters it. A failed registration is logged, and the service goes on. */
export function registerService(
  app: App,
  config: Settings,
  flags: Record<string, unknown>,
  port: number,
  log: Log,
): () => void {
  const name = `${hostname()}/${process.pid}`;
  const settings = reportSettings(flags, process.env).map((setting) =>
    setting.name === 'port' ? { ...setting, value: port } : setting,
  );
  const service: RunningService = {
    pid: process.pid,
    url: localUrl(config.host, port),
    started_at: new Date().toISOString(),
    version: programVersion(),
    settings,
  };
  const attempt = (write: () => void) => {
    try {
      write();
    } catch (failure) {
      log('warn', 'the service could not register in the data file', describeFailure(failure));
    }
  };
  attempt(() => app.services.register(name, { ...service, machine: hostname(), data: resolve(app.path) }));
  return () => {
    if (!app.file.isOverwritten) attempt(() => app.services.register(name, null));
  };
}
