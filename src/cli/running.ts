/**
 * What a command takes from the service that runs on its data file, where it is not told otherwise: then it fetches what
 * that service may, under the same name, and shows the addresses that people use.
 */
import type { Command } from 'commander';
import type { App, Service } from '../app.ts';
import { reportSettings } from '../config.ts';
import { type SettingName, settings } from '../settings.ts';
import { baseUrl, fetchSettings, flagsOf } from './command.ts';
import { harmless, note } from './terminal.ts';

type FetchFrom = ReturnType<typeof fetchSettings>;

/** What `sync` and `sources add` fetch with; what comes from the running service is said in one line. */
export function fetchFrom(command: Command, app: App): FetchFrom {
  const own = fetchSettings(command);
  const [service] = app.services();
  if (service === undefined) return own;
  const base = isGiven(command, 'baseUrl') ? null : baseOf(service);
  const allow = isGiven(command, 'fetchAllow') ? [] : allowOf(service);
  const taken = [
    ...(base === null ? [] : [`--base-url ${base}`]),
    ...(allow.length === 0 ? [] : [`--fetch-allow ${allow.join(' ')}`]),
  ];
  if (taken.length === 0) return own;
  note(harmless(`using the settings of the running service (process ${service.pid}): ${taken.join(' ')}`));
  return { baseUrl: base ?? own.baseUrl, fetchAllow: allow.length > 0 ? allow : own.fetchAllow };
}

/** Under which address a record's page is told to lie. */
export function pagesAt(command: Command, app: App): string {
  const [service] = app.services();
  if (service === undefined || isGiven(command, 'baseUrl')) return baseUrl(command);
  return baseOf(service) ?? service.url;
}

const isGiven = (command: Command, name: SettingName): boolean =>
  reportSettings(flagsOf(command), process.env).some(
    (setting) => setting.name === nameOf(name) && setting.from !== 'default',
  );

const nameOf = (name: SettingName): string => (settings[name].flags.split(' ')[0] as string).slice(2);

const settingOf = (service: Service, name: SettingName): unknown =>
  service.settings.find((setting) => setting.name === nameOf(name))?.value ?? null;

function baseOf(service: Service): string | null {
  const value = settingOf(service, 'baseUrl');
  return typeof value === 'string' ? value : null;
}

function allowOf(service: Service): readonly string[] {
  const value = settingOf(service, 'fetchAllow');
  return Array.isArray(value) ? value.map(String) : [];
}
