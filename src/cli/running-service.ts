/**
 * What a command takes from the service that runs on its data file, where it is not told otherwise: then it fetches what
 * that service may, under the same name, and shows the addresses that people use.
 */
import type { Command } from 'commander';
import type { App, RunningService } from '../app.ts';
import { reportSettings } from '../config.ts';
import { type SettingName, settings } from '../settings.ts';
import { configuredBaseUrl, flagsOf, readFetchConfig } from './command.ts';
import { note, stripUnsafeCharacters } from './output/terminal.ts';

type FetchConfig = ReturnType<typeof readFetchConfig>;

/** What `sync` and `sources add` fetch with; what comes from the running service is said in one line. */
export function resolveFetchConfig(command: Command, app: App): FetchConfig {
  const own = readFetchConfig(command);
  const [service] = app.services();
  if (service === undefined) return own;
  const base = isGiven(command, 'baseUrl') ? null : serviceBaseUrl(service);
  const allow = isGiven(command, 'fetchAllow') ? [] : serviceFetchAllow(service);
  const taken = [
    ...(base === null ? [] : [`--base-url ${base}`]),
    ...(allow.length === 0 ? [] : [`--fetch-allow ${allow.join(' ')}`]),
  ];
  if (taken.length === 0) return own;
  note(
    stripUnsafeCharacters(
      `using the settings of the running service (process ${service.pid}): ${taken.join(' ')}`,
    ),
  );
  return { baseUrl: base ?? own.baseUrl, fetchAllow: allow.length > 0 ? allow : own.fetchAllow };
}

/** Under which address a record's page is told to lie. */
export function resolveBaseUrl(command: Command, app: App): string {
  const [service] = app.services();
  if (service === undefined || isGiven(command, 'baseUrl')) return configuredBaseUrl(command);
  return serviceBaseUrl(service) ?? service.url;
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
