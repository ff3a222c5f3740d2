/** The texts around every page of the console in German; the English ones are in `console-frame-en.ts`. */
import type { Messages } from './pattern.ts';

export const consoleFrame: Messages['consoleFrame'] = {
  admin: 'Verwaltung',
  site: 'Website',
  overview: 'Übersicht',
  sources: 'Quellen',
  review: 'Prüfung',
  records: 'Einträge',
  accounts: 'Konten',
  settings: 'Einstellungen',
  audit: 'Protokoll',
};
