/**
 * The identity of a service (docs/guides/identity.md): values from the options and environment of the process come first,
 * then those in the data file, then the defaults. Every process sees a change of the data file within a quarter of a
 * second, without a restart.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { defaultIdentity, type Identity, type IdentityKey, type Logo } from '../contract/identity.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import { accentShades } from '../pages/colours.ts';
import { type Settings, settings } from '../settings.ts';
import { AuditLog } from '../store/audit-log.ts';
import {
  countSiteSettingsChange,
  readSiteSettings,
  siteSettingsVersion,
  writeSiteSetting,
} from '../store/site-settings.ts';
import type { Transactions } from '../store/transactions.ts';
import { findIdentityKey, identityFields, identityKeys, identityName } from './fields.ts';
import { formatLogo, parseLogo, parseStoredLogo } from './logo.ts';

/** A value by its key: a text, the bytes of the logo, or null to remove it. */
export type IdentityChanges = Partial<Record<IdentityKey, string | Buffer | null>>;

/** A value as the terminal and the console list it. */
export type IdentitySetting = {
  key: IdentityKey;
  name: string;
  about: string;
  accepts: string;
  /** The value in use; a logo as its type and size. Null: none. */
  value: string | null;
  /** The value in the data file, if it differs from the one in use. */
  stored: string | null;
  /** The shades of the accent colour on light and dark paper, adjusted for contrast; null for other values. */
  shades: { light: string; dark: string } | null;
  /** `file`: the data file; `configuration`: an option or variable of the process, which has precedence. */
  from: 'default' | 'file' | 'configuration';
  /** The option and the variable that set it, if `from` is `configuration`: "--accent or CRATEBASE_ACCENT". */
  fixedBy: string | null;
};

type ParsedValues = Partial<Record<Exclude<IdentityKey, 'logo'>, string>> & { logo?: Logo };
export type IdentityConfig = Partial<Pick<Settings, IdentityKey>>;

/** How old the values of the data file may be, in ms. */
const maxAgeMs = 250;

const optionText = (key: IdentityKey): string => {
  const { flags, env } = settings[key];
  return `${flags.split(' ')[0]} or ${env}`;
};

/** Parses the options and variables of the process. Throws a `Failure` (wrong usage) for an invalid one. */
export function readIdentityConfig(config: IdentityConfig): ParsedValues {
  const values: ParsedValues = {};
  for (const key of identityKeys) {
    const text = config[key] ?? null;
    if (text === null) continue;
    try {
      Object.assign(values, { [key]: parseValue(key, key === 'logo' ? readLogoFile(text) : text) });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      throw new Failure(`${optionText(key)}: ${failure.message}`, 2);
    }
  }
  return values;
}

/** Reads the file of a logo. Throws a `Failure` if it cannot be read. */
export function readLogoFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (failure) {
    throw new Failure(`The logo ${path} cannot be read (${(failure as NodeJS.ErrnoException).code}).`);
  }
}

/** Parses a value. Throws a `Failure` that says what it accepts. */
function parseValue(key: IdentityKey, value: string | Buffer): string | Logo {
  if (key === 'logo') {
    const logo = typeof value === 'string' ? parseStoredLogo(value) : parseLogo(value);
    if (typeof logo === 'string') throw new Failure(logo, 1, { field: key });
    return logo;
  }
  const result = identityFields[key].parse(value.toString());
  if ('problem' in result) throw new Failure(result.problem, 1, { field: key, code: 'identity' });
  return result.value;
}

/** Reads, lists and changes the identity of a service. One object serves a process. */
export class ServiceIdentity {
  readonly #sqlite: Database.Database;
  readonly #fixed: ParsedValues;
  #stored: ParsedValues = {};
  #storedVersion = -1;
  #current: Identity = defaultIdentity();
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param fixed values of options and variables, which have precedence over the data file */
  constructor(sqlite: Database.Database, fixed: ParsedValues = {}) {
    this.#sqlite = sqlite;
    this.#fixed = fixed;
  }

  /** Returns the present identity. The data file is asked four times a second at most, by one short query. */
  current(): Identity {
    if (performance.now() - this.#checkedAt > maxAgeMs) this.refresh();
    return this.#current;
  }

  /** Reads the data file if it has changed. If it cannot be read, the values stay as they are. */
  refresh(): void {
    this.#checkedAt = performance.now();
    try {
      const version = siteSettingsVersion(this.#sqlite);
      if (version === this.#storedVersion) return;
      this.#stored = parseStored(readSiteSettings(this.#sqlite));
      this.#storedVersion = version;
    } catch {
      // The requests themselves report a file that cannot be read.
      return;
    }
    this.#current = toIdentity({ ...this.#stored, ...this.#fixed });
  }

  /** Returns all values with their origin. */
  list(): IdentitySetting[] {
    this.refresh();
    return identityKeys.map((key) => {
      const [fixed, stored] = [this.#fixed[key], this.#stored[key]];
      const value = describeValue(fixed ?? stored ?? defaultIdentity()[key]);
      return {
        key,
        name: identityName(key),
        about:
          key === 'logo'
            ? 'Shown beside the name. A PNG, WebP or SVG file of at most 64 KB.'
            : identityFields[key].about,
        accepts: key === 'logo' ? 'a PNG, WebP or SVG file of at most 64 KB' : identityFields[key].accepts,
        value,
        shades: key === 'accent' && value !== null ? shadesOf(value) : null,
        stored: stored === undefined || describeValue(stored) === value ? null : describeValue(stored),
        from: fixed !== undefined ? 'configuration' : stored !== undefined ? 'file' : 'default',
        fixedBy: fixed === undefined ? null : optionText(key),
      };
    });
  }

  /**
   * Sets or removes values in the data file, all or none, with an entry in the audit log for each one that changes.
   * Throws a `Failure` that names the first invalid value, or the option that fixes a value of this process.
   * @param writer a connection for this object alone
   */
  async set(
    changes: IdentityChanges,
    writer: { sqlite: Database.Database; transactions: Transactions },
    by: { actor: Actor; now: number; hasCity: (slug: string) => boolean },
  ): Promise<Identity> {
    const entries = identityKeys.flatMap((key) => {
      const value = changes[key];
      return value === undefined ? [] : [this.#parseChange(key, value, by.hasCity)];
    });
    const audit = new AuditLog(writer.sqlite);
    await writer.transactions.writeDurably(() => {
      const before = parseStored(readSiteSettings(writer.sqlite));
      const differences = entries.filter(
        ({ key, value }) => describeFull(before[key]) !== describeFull(value),
      );
      for (const { key, value } of differences) {
        writeSiteSetting(writer.sqlite, identityName(key), value === undefined ? null : storedForm(value));
        audit.add({
          createdTs: by.now,
          actor: by.actor,
          action: 'setting.set',
          subjectKind: 'setting',
          subject: `site.${identityName(key)}`,
          recordId: null,
          details: { before: describeFull(before[key]), after: describeFull(value) },
        });
      }
      if (differences.length > 0) countSiteSettingsChange(writer.sqlite);
    });
    this.refresh();
    return this.#current;
  }

  /** Throws the `Failure` that `set` would reject with, without a change. */
  check(changes: IdentityChanges, hasCity: (slug: string) => boolean): void {
    this.refresh();
    for (const key of identityKeys) {
      const value = changes[key];
      if (value !== undefined) this.#parseChange(key, value, hasCity);
    }
  }

  #parseChange(
    key: IdentityKey,
    value: string | Buffer | null,
    hasCity: (slug: string) => boolean,
  ): { key: IdentityKey; value: string | Logo | undefined } {
    if (this.#fixed[key] !== undefined)
      throw new Failure(
        `${identityName(key)} is set by ${optionText(key)} of the service, which has precedence. Change it there.`,
      );
    if (value === null || value.length === 0) return { key, value: undefined };
    const newValue = parseValue(key, value);
    if (key === 'homeCity' && !hasCity(newValue as string))
      throw new Failure(
        `There is no city ${JSON.stringify(newValue)} in the catalogue. Write its name, or the end of its address: berlin for /cities/berlin.`,
        1,
        { field: key, code: 'city_missing', value: newValue as string },
      );
    return { key, value: newValue };
  }
}

/** Parses the values of the data file. One that an earlier version accepted and this one does not counts as not set. */
function parseStored(texts: ReadonlyMap<string, string>): ParsedValues {
  const values: ParsedValues = {};
  for (const [name, text] of texts) {
    const key = findIdentityKey(name);
    if (key === undefined) continue;
    try {
      Object.assign(values, { [key]: parseValue(key, text) });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
    }
  }
  return values;
}

function toIdentity({ indexing, media, ...values }: ParsedValues): Identity {
  const version = hash(
    'sha256',
    JSON.stringify([indexing, media, { ...values, logo: values.logo?.digest }]),
    'base64url',
  );
  return {
    ...defaultIdentity(),
    ...values,
    indexing: indexing !== 'off',
    media: media !== 'off',
    version: version.slice(0, 12),
  };
}

function shadesOf(colour: string): { light: string; dark: string } {
  const { light, dark } = accentShades(colour);
  return { light: light.accent, dark: dark.accent };
}

const storedForm = (value: string | Logo): string => (typeof value === 'string' ? value : formatLogo(value));

/** A value for lists. */
const describeValue = (value: string | Logo | boolean | null | undefined): string | null =>
  value === undefined || value === null
    ? null
    : typeof value === 'boolean'
      ? value
        ? 'on'
        : 'off'
      : typeof value === 'string'
        ? value
        : `${value.type}, ${value.content.length.toLocaleString('en')} bytes`;

/** A value for the audit log: unlike in lists, two logos of one size differ. */
const describeFull = (value: string | Logo | undefined): string | null =>
  value === undefined || typeof value === 'string'
    ? (value ?? null)
    : `${describeValue(value)}, SHA-256 ${value.digest}…`;
