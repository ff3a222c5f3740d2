/** The services that run on a data file: each notes in it how it was started, so that `doctor` judges that. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type App, programVersion, type RunningService } from '../../app.ts';
import { localUrl, reportSettings } from '../../config.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';

/** Notes that this process answers; gives how to take that back. What cannot be noted keeps nobody from serving. */
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
  attempt(() => app.registerService(name, { ...service, machine: hostname(), data: resolve(app.path) }));
  return () => {
    if (!app.isOverwritten) attempt(() => app.registerService(name, null));
  };
}
