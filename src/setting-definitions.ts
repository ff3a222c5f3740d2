/** Functions that define settings: one value, a list, a switch. */
import { nonEmpty, parseSwitch } from './setting-values.ts';

/** A setting: a flag, an environment variable, a default. */
export type Setting<T> = {
  /** The flag as declared on the command line, such as `--port <number>`. */
  readonly flags: string;
  readonly env: string;
  readonly description: string;
  readonly shape: 'value' | 'list' | 'switch';
  readonly fallback: T;
  /** The accepted values, as the end of the sentence "--port is …". */
  readonly accepts: string;
  /** Parses a value, or one entry of a list; undefined if it is invalid. */
  readonly read: (text: string) => unknown;
  /** Secret: never shown, and may be read from a file. */
  readonly secret: boolean;
  /** Only valid with --dev. */
  readonly dev: boolean;
  /** Returns why a value must not be given as a flag; null if it may. */
  readonly checkFlag?: (text: string) => string | null;
};

type SettingFlags = Partial<Pick<Setting<unknown>, 'secret' | 'dev' | 'checkFlag'>>;

const envNameOf = (flags: string): string =>
  `CRATEBASE_${(flags.split(' ')[0] as string).slice(2).toUpperCase().replaceAll('-', '_')}`;

const defineSetting = <T>(
  shape: Setting<T>['shape'],
  flags: string,
  description: string,
  fallback: T,
  accepts: string,
  read: (text: string) => unknown,
  extras: SettingFlags = {},
): Setting<T> => ({
  flags,
  env: envNameOf(flags),
  description,
  shape,
  fallback,
  accepts,
  read,
  secret: false,
  dev: false,
  ...extras,
});

/** Defines a setting with one value. */
export const valueSetting = <T, F extends T | null = T>(
  flags: string,
  description: string,
  fallback: F,
  accepts: string,
  read: (text: string) => T | undefined,
  extras: SettingFlags = {},
): Setting<T | F> => defineSetting<T | F>('value', flags, description, fallback, accepts, read, extras);

/** Defines a setting whose flag may be repeated. */
export const listSetting = <T>(
  flags: string,
  description: string,
  accepts: string,
  read: (text: string) => T | undefined,
  extras: SettingFlags = {},
): Setting<readonly T[]> =>
  defineSetting<readonly T[]>('list', flags, description, Object.freeze([]), accepts, read, extras);

/** Defines a setting that is on or off. */
export const switchSetting = (
  flags: string,
  description: string,
  extras: SettingFlags = {},
): Setting<boolean> =>
  defineSetting<boolean>('switch', flags, description, false, 'true or false', parseSwitch, extras);

/** Defines a value of the identity. The room `identity` parses it, and the data file can have one as well. */
export const identitySetting = (flags: string, description: string): Setting<string | null> =>
  valueSetting<string, null>(flags, description, null, 'a text that is not empty', nonEmpty);
