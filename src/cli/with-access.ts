/** Opens the accounts for a command: those of the data file, or with --cluster those in PostgreSQL, from any machine. */
import type { Command } from 'commander';
import type { Access, App, ClusterAddressParts } from '../app.ts';
import { systemClock } from '../clock.ts';
import { readSettings } from '../config.ts';
import { exitOnSignals, flagsOf, settingOption, withApp } from './command.ts';

/** Adds `--cluster` and `--cluster-ca` to a command, or to a group of commands. */
export function addClusterOptions(command: Command): void {
  command.addOption(settingOption('cluster')).addOption(settingOption('clusterCa'));
}

/** Adds `--objects` to a command that reads or publishes the catalogue of a cluster. */
export function addObjectsOption(command: Command): void {
  command.addOption(settingOption('objects'));
}

/** Returns where the objects of the cluster are stored; null: in PostgreSQL. */
export const objectsOf = (command: Command): string | null =>
  readSettings(['objects'], flagsOf(command), process.env).objects;

/** Returns the address of the cluster that a command names; null: there is none. */
export async function clusterOf(command: Command): Promise<ClusterAddressParts | null> {
  const settings = readSettings(['cluster', 'clusterCa'], flagsOf(command), process.env);
  if (settings.cluster === null && settings.clusterCa === null) return null;
  const { readCluster } = await import('../app.ts');
  return readCluster(settings);
}

/** Runs `use` with the accounts. `app` is the data file that has them; null: a cluster has them. */
export async function withAccess<T>(
  command: Command,
  use: (access: Access, app: App | null) => Promise<T>,
  options: { readOnly?: boolean } = {},
): Promise<T> {
  const cluster = await clusterOf(command);
  if (cluster === null) return withApp(command, options, async (app) => use(await app.access(), app));
  const { openCluster } = await import('../app.ts');
  exitOnSignals();
  const access = await openCluster(cluster, systemClock);
  try {
    return await use(access, null);
  } finally {
    await access.closed();
  }
}

/** The same, on a file that is opened read-only. */
export const withReadOnlyAccess = <T>(command: Command, use: (access: Access) => Promise<T>): Promise<T> =>
  withAccess(command, use, { readOnly: true });
