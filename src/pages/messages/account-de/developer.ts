/** The texts of the developer page and of its keys, usage and apps, in German. */
import type { Messages } from '../pattern.ts';

type Account = Messages['account'];

export const developer: Account['developer'] = {
  title: 'Entwicklung',
  lead: 'Schlüssel für Programme, Apps für Agenten und was sie nutzen: das Konto {email}.',
  keys: 'API-Schlüssel',
  usage: 'Nutzung',
  apps: 'Verbundene Apps',
  plan: 'Tarif',
  done: {
    revoked: 'Der Schlüssel ist widerrufen.',
    disconnected: 'Die App ist getrennt.',
    'sent-before':
      'Dieses Formular wurde schon gesendet und hat seinen Schlüssel erzeugt, der nicht noch einmal angezeigt wird. Wurde er nicht kopiert, bitte widerrufen und einen anderen erzeugen.',
  },
};

export const plan: Account['plan'] = {
  eachMonth: 'Je Monat',
  monthly: (count) => `${count} Anfragen für das Konto`,
  eachMinute: 'Je Minute',
  minutely: (count) => `${count} Anfragen für jeden Schlüssel und jede App`,
  ownLimit: (count) => `(eigenes Limit; der Tarif hat ${count})`,
  change: (name, quota, window, seconds) =>
    `Ab {date} hat der Tarif „${name}“ ${quota} Anfragen je Konto und Monat und ${window} je Schlüssel und ${seconds} s.`,
  attribution: 'Dieser Satz gehört überall dorthin, wo die Daten erscheinen: {sentence}',
  changedBy: 'Den Tarif eines Kontos ändert der Betreiber dieses Dienstes.',
};

export const keys: Account['keys'] = {
  none: 'Noch keine Schlüssel. Ein Name für den ersten gehört in das Formular darüber, am besten der des Programms oder Geräts, das ihn benutzt.',
  newName: 'Name des Schlüssels',
  mayCall: 'Er darf aufrufen',
  scopes: {
    all: 'REST-API und Agenten',
    rest: 'Nur die REST-API',
    agents: 'Nur Agenten (MCP)',
  },
  expires: 'Er läuft ab',
  lifetimes: {
    never: 'nie',
    '30d': 'nach 30 Tagen',
    '90d': 'nach 90 Tagen',
    '365d': 'nach einem Jahr',
  },
  create: 'API-Schlüssel erzeugen',
  revoked: 'widerrufen',
  expired: 'abgelaufen',
  created: 'Erzeugt am {date}',
  neverUsed: 'noch nicht benutzt',
  lastUsed: 'zuletzt benutzt am {date}',
  expiresOn: 'gültig bis {date}',
  expiredOn: 'abgelaufen am {date}',
  revokedOn: 'widerrufen am {date}',
  replace: 'Ersetzen',
  replaceNamed: (name) => `${name} ersetzen`,
  revoke: 'Widerrufen',
  revokeNamed: (name) => `${name} widerrufen`,
  pages: 'Seiten der Schlüssel',
  newer: 'Neuere Schlüssel',
  older: 'Ältere Schlüssel',
  page: (page, pages) => `Seite ${page} von ${pages}`,
};

export const key: Account['key'] = {
  newTitle: 'Ihr neuer Schlüssel',
  newLead:
    'Der Schlüssel {name} wird nur dieses eine Mal angezeigt. Bitte dorthin kopieren, wo er benutzt wird: Ein verlorener Schlüssel lässt sich nicht zurückholen, nur ersetzen.',
  copyKey: 'Schlüssel kopieren',
  copyCommand: 'Befehl kopieren',
  tryIt: 'Ausprobieren',
  forAgent: 'Der Agent braucht ihn zusammen mit der Adresse {address}.',
  isCopied: 'Der Schlüssel ist kopiert',
  oldEnded: 'Der alte Schlüssel gilt nicht mehr.',
  oldValid: 'Der alte Schlüssel gilt bis {date}. Bitte die Programme vorher umstellen.',
  replaceTitle: 'Schlüssel ersetzen',
  replaceHeading: 'Diesen Schlüssel ersetzen?',
  replaceLead:
    '{name}, {hint}: Sie erhalten einen neuen Schlüssel mit demselben Namen und denselben Rechten. Der alte gilt noch eine Weile, damit sich die Programme nacheinander umstellen lassen.',
  overlap: 'Der alte Schlüssel gilt',
  overlaps: {
    '24h': 'noch einen Tag',
    '1h': 'noch eine Stunde',
    '7d': 'noch eine Woche',
    '30d': 'noch 30 Tage',
    '0m': 'nicht mehr: Er endet jetzt',
  },
  createNew: 'Neuen Schlüssel erzeugen',
  revokeTitle: 'Schlüssel widerrufen',
  revokeHeading: 'Diesen Schlüssel widerrufen?',
  revokeLead:
    '{name}, {hint}: Programme und Agenten, die ihn benutzen, werden ab der nächsten Anfrage abgewiesen. Ein widerrufener Schlüssel lässt sich nicht zurückholen.',
  revokeButton: 'Schlüssel widerrufen',
};

export const usage: Account['usage'] = {
  share: (used, quota) => `${used} von ${quota} Anfragen`,
  inMonth: (month) => `im ${month}`,
  meter: (used, quota, month) => `${used} von ${quota} Anfragen im ${month} verbraucht`,
  resets:
    'Die Zählung beginnt am {date} um 00:00 Uhr UTC von vorn. REST, MCP und alle Schlüssel und Apps zählen zusammen.',
  usedUp:
    'Das Monatskontingent ist verbraucht: Anfragen werden mit 429 beantwortet, bis die Zählung am {date} um 00:00 Uhr UTC von vorn beginnt. REST, MCP und alle Schlüssel und Apps zählen zusammen.',
  noticeFull: (used, quota) =>
    `Das Monatskontingent ist verbraucht: ${used} von ${quota} Anfragen. Programme und Agenten erhalten bis {date} den Status 429.`,
  noticeMuch: (used, quota) =>
    `Mindestens 80 % des Monatskontingents sind verbraucht: ${used} von ${quota} Anfragen. Die Zählung beginnt am {date} von vorn.`,
  none: 'Noch keine Anfragen. Die erste erscheint hier sofort, REST und MCP getrennt.',
  perDay: 'Anfragen je Tag, die letzten 30 Tage',
  day: 'Tag (UTC)',
  perMonth: 'Anfragen je Monat, die letzten 12 Monate',
  month: 'Monat (UTC)',
};

export const apps: Account['apps'] = {
  none: 'Keine App ist verbunden. Ein Agent braucht nur die Adresse {address}: Er fragt hier um Erlaubnis und benötigt keinen Schlüssel.',
  onYourMachine: 'auf einem Ihrer Geräte, nicht bestätigt',
  verified: 'Name bestätigt von {host}',
  unverified: '{host}, nicht bestätigt',
  may: (scopes) => `Darf: ${scopes}.`,
  scopes: { 'catalogue:read': 'den Katalog lesen' },
  nothing: 'nichts',
  connected: 'Verbunden am {date}',
  disconnect: 'Trennen',
  disconnectNamed: (name) => `${name} trennen`,
  title: 'App trennen',
  heading: 'Diese App trennen?',
  lead: '{name} wird ab der nächsten Anfrage abgewiesen und muss danach wieder um Erlaubnis fragen.',
};
