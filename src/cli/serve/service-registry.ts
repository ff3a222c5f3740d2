/** Registration of running services in the data file, for `doctor` and for commands that take over their settings. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type App, programVersion, type RunningService } from '../../app.ts';
import { localUrl, reportSettings } from '../../config.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';

/** An import that knows of no service pauses for about 100 ms after each second of work. */
const retryMs = 40;

/**
 * Registers this process; returns a function that unregisters it. Registration is repeated while another process holds
 * the write lock. If it fails for another reason, that is logged, and the service goes on.
 */
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
  let retry: NodeJS.Timeout | undefined;
  const registerUnlessLocked = () =>
    attempt(() => {
      const note = { ...service, machine: hostname(), data: resolve(app.path) };
      if (!app.services.register(name, note)) retry = setTimeout(registerUnlessLocked, retryMs).unref();
    });
  registerUnlessLocked();
  return () => {
    clearTimeout(retry);
    // An entry that cannot be removed now is removed by the next service, since its process has ended.
    if (!app.file.isOverwritten) attempt(() => app.services.register(name, null));
  };
}
