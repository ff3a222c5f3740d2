/** `show`: one record, without a server. */
import type { Command } from 'commander';
import type { Kind } from '../contract/fields.ts';
import { Failure } from '../failure.ts';
import { addExamples, baseUrl, show, withApp } from './command.ts';
import { kinds } from './kinds.ts';
import { fields } from './terminal.ts';

export function addShow(program: Command): void {
  const command = program
    .command('show')
    .argument('<kind>', kinds.join(', '))
    .argument('<slug>', 'as search shows it; of an edition FESTIVAL/EDITION')
    .description('Show one record.');
  addExamples(command, [
    ['cratebase show artist ben-klock', ''],
    ['cratebase show edition tomorrowland/2024 --json', ''],
  ]);
  command.action(async (given: string, slug: string) => {
    const kind = kinds.find((name) => name === given.toLowerCase());
    if (!kind)
      throw new Failure(`There is no kind ${JSON.stringify(given)}; there are ${kinds.join(', ')}.`, 2);
    const [name, edition] = readSlug(kind, slug);
    const record = await withApp(command, { readOnly: true }, (app) =>
      app.record(kind, name, edition, baseUrl(command)),
    );
    show(command, record, () => describe(record));
  });
}

/** The parts of a slug: of an edition the festival's slug and the edition. */
function readSlug(kind: Kind, slug: string): [string, string] {
  if (kind !== 'edition') return [slug, ''];
  const at = slug.indexOf('/');
  if (at < 1 || at === slug.length - 1) {
    throw new Failure('An edition is named by its festival: cratebase show edition tomorrowland/2024', 2);
  }
  return [slug.slice(0, at), slug.slice(at + 1)];
}

/** The members of a record in their order; what is absent is left out. */
function describe(record: Record<string, unknown>): string {
  return fields(Object.entries(record).map(([name, value]) => [title(name), text(value)] as const));
}

const title = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function text(value: unknown): string | null {
  if (value === null) return null;
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map(entry).join(isLong(value) ? '\n' : ', ');
  return typeof value === 'object' ? entry(value) : String(value);
}

const isLong = (values: unknown[]): boolean =>
  values.some((value) => typeof value === 'object' && value !== null && 'url' in value);

/** A reference by its name and slug, anything else by its members. */
function entry(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  if (members.length === 0) return null;
  if ('slug' in value && 'name' in value) {
    const { slug, name, city, country } = value as Record<string, string | null>;
    const where = [name, city, country].filter(Boolean).join(', ');
    return slug === null ? where || null : `${where} (${slug})`;
  }
  return members.map(([name, member]) => `${name}: ${inner(member)}`).join(', ');
}

const inner = (member: unknown): string =>
  typeof member === 'object' ? (entry(member) ?? '–') : String(member);
