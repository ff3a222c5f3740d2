/** The services that run on a data file: each notes in it how it was started, so that `doctor` judges that. */
import { hostname, uptime } from 'node:os';
import { resolve } from 'node:path';
import type { App } from '../app.ts';
import { localUrl, reportSettings, type SettingReport } from '../config.ts';
import { describeFailure, type Log } from '../log.ts';
import type { Settings } from '../settings.ts';

export type Service = {
  pid: number;
  /** Under which it answers on this machine. */
  url: string;
  started_at: string;
  /** As it was started, secrets hidden. */
  settings: SettingReport[];
};
type Note = Service & { machine: string; data: string };

/** Of services elsewhere nobody knows whether they live; so long their notes are kept. */
const keptMs = 7 * 86_400_000;

/** Notes that this process answers; gives how to take that back. What cannot be noted keeps nobody from serving. */
export function noteServing(
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
  const note: Note = {
    pid: process.pid,
    url: localUrl(config.host, port),
    started_at: new Date().toISOString(),
    settings,
    machine: hostname(),
    data: resolve(app.path),
  };
  const attempt = (write: () => void) => {
    try {
      write();
    } catch (failure) {
      log('warn', 'the data file could not be told who serves it', describeFailure(failure));
    }
  };
  attempt(() => {
    for (const { name: other, note: text } of app.servingNotes())
      if (isPast(read(text))) app.noteServing(other, null);
    app.noteServing(name, JSON.stringify(note));
  });
  return () => {
    if (!app.isForeign) attempt(() => app.noteServing(name, null));
  };
}

/** The services that answer from this file on this machine, the one started last first. */
export function runningServices(app: App): Service[] {
  const here = (note: Note | null): note is Note =>
    note !== null && note.machine === hostname() && note.data === resolve(app.path) && isAlive(note);
  return app
    .servingNotes()
    .map(({ note }) => read(note))
    .filter(here)
    .map(({ machine: _, data: __, ...service }) => service)
    .sort((a, b) => b.started_at.localeCompare(a.started_at));
}

function read(text: string): Note | null {
  try {
    return JSON.parse(text) as Note;
  } catch {
    return null;
  }
}

const isPast = (note: Note | null): boolean =>
  note === null ||
  (note.machine === hostname() ? !isAlive(note) : Date.parse(note.started_at) < Date.now() - keptMs);

/** Whether its process is there; after a start of the machine another may have its number. */
function isAlive({ pid, started_at }: Note): boolean {
  if (Date.parse(started_at) < Date.now() - uptime() * 1000) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'EPERM';
  }
}
