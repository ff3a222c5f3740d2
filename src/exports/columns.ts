/**
 * The columns of each kind in CSV and Parquet files. They follow from the members of the API's detail: objects become
 * a column per member (`venue_slug`), lists become JSON.
 */
import { z } from 'zod';
import { derivedMembers, detailSchemas } from '../catalogue/mirror/documents.ts';
import type { Kind } from '../contract/fields.ts';
import { schemas } from '../contract/records.ts';

export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'json';
/** A column and the path of its value in a line: `["data", "venue", "slug"]`. */
export type Column = { name: string; type: ColumnType; path: readonly string[] };
/** The value of a cell: JSON columns hold text. */
export type Cell = string | number | boolean | null;

/** The lists of a line, by kind. */
const lists: Partial<Record<Kind, readonly string[]>> = {
  event: ['lineup', 'tickets'],
  edition: ['lineup', 'tickets'],
  episode: ['tracks'],
  artist: ['genres'],
  label: ['artists'],
};

/** The columns of a kind: `revision`, the members of the detail, the lists, the credited sources. */
export function columnsOf(kind: Kind): Column[] {
  const members = Object.entries(schemas[detailSchemas[kind]].shape as Record<string, z.ZodType>).filter(
    ([name]) => !derivedMembers[kind].includes(name),
  );
  const columns: Column[] = [{ name: 'revision', type: 'integer', path: ['revision'] }];
  for (const [name, schema] of members) columns.push(...memberColumns(name, schema, ['data', name]));
  for (const name of lists[kind] ?? []) {
    // The detail of an event has a short line-up already.
    const isTaken = columns.some((column) => column.name === name);
    columns.push({ name: isTaken ? `${name}_sets` : name, type: 'json', path: ['lists', name] });
  }
  if (kind !== 'event') columns.push({ name: 'sources', type: 'json', path: ['sources'] });
  return columns;
}

function memberColumns(name: string, schema: z.ZodType, path: readonly string[]): Column[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([member, one]) =>
      memberColumns(`${name}_${member}`, one, [...path, member]),
    );
  }
  return [{ name, type: typeOf(inner), path }];
}

const unwrap = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;

function typeOf(schema: z.ZodType): ColumnType {
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodArray || schema instanceof z.ZodRecord) return 'json';
  return 'text';
}

/**
 * Returns the value of a column in a line of an export: lists and maps as JSON; null if a member of the path is
 * missing.
 */
export function cellOf({ type, path }: Column, line: object): Cell {
  let value: unknown = line;
  for (const member of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[member];
  }
  if (value === null || value === undefined) return null;
  return type === 'json' ? JSON.stringify(value) : (value as Cell);
}
