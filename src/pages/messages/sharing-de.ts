/** The texts of pictures, embedded lists and the installed app in German. */
import type { SharingMessages } from './sharing-en.ts';

export const sharing: SharingMessages = {
  catalogue: 'Der Katalog der elektronischen Musik',
  contents: 'Events, Acts, Orte, Festivals, Labels und Mixe',
  embed: 'Diese Liste einbetten',
  embedHelp:
    'Diesen Code in eine Seite der eigenen Website kopieren. Die Liste aktualisiert sich selbst und setzt keine Cookies.',
  embedCopy: 'Code kopieren',
  embedOptions:
    'Mit theme=light oder theme=dark, limit=10 und lang=de in der Adresse weicht die Liste von den Einstellungen der Besucher ab.',
  embedTitle: (title, service) => `${title} · ${service}`,
  embedMore: (service) => `Alle Events auf ${service}`,
  embedNone: 'Keine kommenden Events.',
  opensNewTab: 'öffnet einen neuen Tab',
  offlineTitle: 'Keine Verbindung',
  offlineText:
    'Diese Seite ist auf diesem Gerät nicht gespeichert. Bereits geöffnete Seiten sind noch da. Nach dem Verbinden die Seite neu laden.',
  offlineHome: 'Startseite',
};
