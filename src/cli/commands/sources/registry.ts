/** Opens the registry of sources for the commands of `sources`. */
import type { Command } from 'commander';
import type { App } from '../../../app.ts';
import { readFetchConfig, type WithAppOptions, withApp } from '../../command.ts';

export type SourceRegistry = Awaited<ReturnType<App['sources']>>;

/** Opens the data file and its sources, runs `use` on them, and closes the file. */
export const withSources = <T>(
  command: Command,
  options: WithAppOptions,
  use: (registry: SourceRegistry, app: App) => T | Promise<T>,
): Promise<T> =>
  withApp(command, options, async (app) => use(await app.sources(readFetchConfig(command)), app));
