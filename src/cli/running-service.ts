/**
 * Settings that a command takes over from the service on its data file, unless an option or a variable sets them: it
 * may then fetch what the service may fetch, and prints the public addresses of records.
 */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { App, FetchConfig, RunningService } from '../app.ts';
import { readSettings, reportSettings } from '../config.ts';
import { type SettingName, settings } from '../settings.ts';
import {
  configuredBaseUrl,
  flagsOf,
  followUpCommand,
  readFetchConfig,
  shellQuote,
  withApp,
} from './command.ts';
import { note } from './output/terminal.ts';

/** Returns the fetch settings of `sync`, `add` and `sources add`; notes on standard error which ones are the service's. */
export function resolveFetchConfig(command: Command, app: App): FetchConfig {
  const own = readFetchConfig(command);
  const [service] = app.services.running();
  if (service === undefined) return own;
  const base = isGiven(command, 'baseUrl') ? null : serviceBaseUrl(service);
  const allow = isGiven(command, 'fetchAllow') ? [] : serviceFetchAllow(service);
  const adopted = [
    ...(base === null ? [] : [`--base-url ${base}`]),
    ...(allow.length === 0 ? [] : [`--fetch-allow ${allow.join(' ')}`]),
  ];
  if (adopted.length === 0) return own;
  note(`using the settings of the running service (process ${service.pid}): ${adopted.join(' ')}`);
  return { baseUrl: base ?? own.baseUrl, fetchAllow: allow.length > 0 ? allow : own.fetchAllow };
}

/** Returns the fetch settings for work on a copy of a data file: the service is registered in the file itself. */
export async function fetchConfigOfFile(command: Command, data: string): Promise<FetchConfig> {
  if (!existsSync(data)) return readFetchConfig(command);
  return await withApp(command, { data, readOnly: true, anySchema: true }, (app) =>
    resolveFetchConfig(command, app),
  );
}

/** Returns the base address of record pages. */
export function resolveBaseUrl(command: Command, app: App | null): string {
  const [service] = app?.services.running() ?? [];
  if (service === undefined || isGiven(command, 'baseUrl')) return configuredBaseUrl(command);
  return serviceBaseUrl(service) ?? service.url;
}

/**
 * Lets the identity of the running service precede that of the data file, as in its own answers. An option or a variable
 * of this command precedes both.
 */
export function adoptIdentity(command: Command, app: App): void {
  const own = readSettings(['name', 'attribution', 'homeCity'], flagsOf(command), process.env);
  const [service] = app.services.running();
  const adopt = (name: keyof typeof own): string | null => {
    const value = service === undefined || own[name] !== null ? null : serviceSetting(service, name);
    return typeof value === 'string' ? value : own[name];
  };
  app.identity.configure({
    name: adopt('name'),
    attribution: adopt('attribution'),
    homeCity: adopt('homeCity'),
  });
}

/** Returns the address of the account pages: the one in this command's settings, otherwise that of the running service. */
export function resolveAccountUrl(command: Command, app: App | null): string {
  const { accountUrl } = readSettings(['accountUrl'], flagsOf(command), process.env);
  if (accountUrl !== null) return accountUrl;
  const [service] = app?.services.running() ?? [];
  const serviceUrl = service === undefined ? null : serviceSetting(service, 'accountUrl');
  return typeof serviceUrl === 'string' ? serviceUrl : resolveBaseUrl(command, app);
}

const isGiven = (command: Command, name: SettingName): boolean =>
  reportSettings(flagsOf(command), process.env).some(
    (setting) => setting.name === settingFlagName(name) && setting.from !== 'default',
  );

const settingFlagName = (name: SettingName): string =>
  (settings[name].flags.split(' ')[0] as string).slice(2);

const serviceSetting = (service: RunningService, name: SettingName): unknown =>
  service.settings.find((setting) => setting.name === settingFlagName(name))?.value ?? null;

function serviceBaseUrl(service: RunningService): string | null {
  const value = serviceSetting(service, 'baseUrl');
  return typeof value === 'string' ? value : null;
}

function serviceFetchAllow(service: RunningService): readonly string[] {
  const value = serviceSetting(service, 'fetchAllow');
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether a running service of this machine reads the sources of the data file by itself. */
export const isReadByService = (app: App): boolean =>
  app.services.running().some((service) => serviceSetting(service, 'noSync') !== true);

/**
 * Returns how an added source is read. Its host may be one that only this command was allowed to read; then `sync` needs the
 * same option, and so does the service.
 */
export async function addedAdvice(command: Command, app: App, name: string): Promise<string> {
  const [service] = app.services.running();
  const fetchAllow = service === undefined ? [] : serviceFetchAllow(service);
  const registry = await app.sources({ ...readFetchConfig(command), fetchAllow });
  const blocked = registry.blocked(name);
  const sync = followUpCommand(command, `sync ${shellQuote(name)}`);
  if (blocked === null) return readingAdvice(isReadByService(app), sync);
  const allow = `--fetch-allow ${blocked.addresses.join(' ')}`;
  const own = readingAdvice(false, `${sync} ${allow}`);
  return `${own}\n${service === undefined ? 'a service reads it if it is started' : 'the running service cannot read it: start it again'} with ${allow}`;
}

/** Says how a new source is read: by the running service, otherwise by a command. */
export const readingAdvice = (isRead: boolean, command: string): string =>
  isRead
    ? 'the running service reads it within a minute; to see the result, run: cratebase sources list'
    : `to read it now, run: ${command}`;
