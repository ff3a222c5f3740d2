/** Reads the values of fields that an editor types: as text, or as JSON for lists and references. */
import {
  type EditableField,
  type EditableFieldType,
  editableFieldsOf,
  findEditableField,
  isListField,
} from '../../contract/editable-fields.ts';
import { type FeedKind, feedRecordSchemas } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { RecordFinder } from '../../store/records/record-finder.ts';
import { parseProfileLinks } from '../../text/profile-links.ts';
import { InvalidLine, parseMember } from '../import/parse-record.ts';
import { keepChosenRecords, slugOfArtist } from './chosen-records.ts';

/** The name of the field of a change. Throws a `Failure` that lists the fields of the kind. */
export function fieldOf(kind: FeedKind, text: string): string {
  const name = findEditableField(kind, text);
  if (name !== null) return name;
  throw unknownField(kind, text, ` ${Object.keys(editableFieldsOf(kind)).join(', ')}.`);
}

const newRecordFields = (kind: FeedKind): string[] => Object.keys(feedRecordSchemas[kind].shape);

const unknownField = (kind: FeedKind, text: string, list: string): Failure =>
  new Failure(
    `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind} has no field ${JSON.stringify(text.slice(0, 100))}. Fields:${list}`,
    2,
  );

/** Validates values by the schema of the feed format. */
export class FieldReader {
  readonly #names: RecordFinder;

  constructor(names: RecordFinder) {
    this.#names = names;
  }

  /** The value that a field is set to; null for "none". Throws a `Failure` that names the field. */
  value(kind: FeedKind, field: string, value: unknown): unknown {
    const definition = definitionOf(kind, field);
    const isNone = value === null || (typeof value === 'string' && value.trim() === '');
    if (isNone && definition.isRequired)
      throw new Failure(`${field} cannot be empty: every ${kind} has one.`, 2, { field, code: 'required' });
    if (isNone) return null;
    return this.#validate(kind, field, this.#fromText(kind, field, definition, value));
  }

  /** A member of a new record: its name in the feed format, and its value. */
  member(kind: FeedKind, text: string, value: unknown): [name: string, value: unknown] {
    const name = findEditableField(kind, text);
    if (name !== null) return [name, this.value(kind, name, value)];
    const own = text.trim().toLowerCase();
    if (own === 'external_id') return [own, value];
    const isOwn = Object.hasOwn(feedRecordSchemas[kind].shape, own);
    if (!isOwn) throw unknownField(kind, text, ` ${[...newRecordFields(kind), 'external_id'].join(', ')}.`);
    const isReference = own === 'festival' || own === 'podcast';
    const reference =
      typeof value === 'string' && isReference ? (jsonOf(own, value, '{') ?? { name: value }) : value;
    return [own, this.#validate(kind, own, reference)];
  }

  /** The entries that a change adds to a list; of `external_ids` an object. */
  entries(kind: FeedKind, field: string, value: unknown): unknown {
    const definition = listDefinition(kind, field);
    if (definition.type === 'tracks')
      throw new Failure(`${field} is changed as a whole: ${field}=JSON, as in the feed format.`, 2);
    if (typeof value !== 'string') return this.#validate(kind, field, value);
    if (value.trim() === '')
      throw new Failure(`${field}+= names no entry. Write ${field}= to set "none" for all of it.`, 2);
    const entries = this.#fromText(kind, field, definition, value);
    return this.#validate(kind, field, entries);
  }

  /** The texts that name the entries which a change takes away. */
  removedTexts(kind: FeedKind, field: string, value: unknown): string[] {
    const { type } = listDefinition(kind, field);
    if (type === 'tracks')
      throw new Failure(`${field} is changed as a whole: ${field}=JSON, as in the feed format.`, 2);
    const texts = (Array.isArray(value) ? value : [value]).map((one) => this.#nameOf(type, String(one)));
    if (texts.some((text) => text.trim() === ''))
      throw new Failure(
        `${field}-= names no entry. Write ${field}-=NAME, or ${field}= to set "none" for all of it.`,
        2,
      );
    return texts;
  }

  #validate(kind: FeedKind, field: string, value: unknown): unknown {
    try {
      const parsedValue = parseMember(kind, field, value) ?? null;
      const type = editableFieldsOf(kind)[field]?.type;
      if (type !== 'acts' && type !== 'artists') return parsedValue;
      return keepChosenRecords(field, { list: parsedValue, writtenList: value }, this.#names);
    } catch (failure) {
      if (failure instanceof InvalidLine)
        throw new Failure(`${failure.message}. Nothing was changed.`, 2, {
          field,
          ...invalidValueCode(field),
        });
      throw failure;
    }
  }

  /** Converts text to the value that the feed format has; other values stay as they are. */
  #fromText(kind: FeedKind, field: string, { type }: EditableField, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    if (type === 'number' || type === 'whole') return numberOf(value);
    if (type === 'place') return this.#place(value);
    if (type === 'edition') return this.#edition(value);
    if (type === 'name') return kind === 'genre' ? value : (jsonOf(field, value, '{') ?? { name: value });
    if (type === 'ids') return jsonOf(field, value, '{') ?? idsOf(field, value);
    if (!isListField({ type, isRequired: false, choices: [] })) return value;
    return this.#list(field, type, value);
  }

  #list(field: string, type: EditableFieldType, value: string): unknown {
    const list = jsonOf(field, value, '[');
    if (Array.isArray(list)) return list.map((one) => this.#entry(type, one));
    // A name of a genre has no comma; names of artists may.
    if (field === 'genres') return value.split(',').map((one) => one.trim());
    return [this.#entry(type, jsonOf(field, value, '{') ?? value)];
  }

  #entry(type: EditableFieldType, entry: unknown): unknown {
    if (typeof entry !== 'string') return entry;
    if (type === 'links') return linkOf(entry);
    if (type === 'acts' || type === 'artists') {
      const name = this.#nameOf(type, entry);
      return name === entry ? { name } : { name, record: entry.trim() };
    }
    return entry;
  }

  /** The name of the artist that `artist/SLUG` names; other texts are names. */
  #nameOf(type: EditableFieldType, text: string): string {
    const slug = type === 'acts' || type === 'artists' ? slugOfArtist(text) : null;
    if (slug === null) return text;
    const record = this.#names.bySlug('artist', slug);
    if (record === null)
      throw new Failure(`There is no artist ${JSON.stringify(text.trim())}.`, 1, {
        field: type === 'acts' ? 'lineup' : 'artists',
        code: 'artist_missing',
        value: text.trim(),
      });
    return record.name;
  }

  /** A venue by name, or by `venue/SLUG` with its place. */
  #place(text: string): unknown {
    const [, slug] = /^venues?\/([a-z0-9-]+)$/.exec(text.trim()) ?? [];
    if (slug === undefined) return jsonOf('venue', text, '{') ?? { name: text };
    const place = this.#names.venueBySlug(slug);
    if (place === null)
      throw new Failure(`There is no venue ${JSON.stringify(text.trim())}.`, 1, {
        field: 'venue',
        code: 'venue_missing',
        value: text.trim(),
      });
    return place;
  }

  /** An edition as FESTIVAL/EDITION. */
  #edition(text: string): unknown {
    const object = jsonOf('festival', text, '{');
    if (object !== undefined) return object;
    const at = text.lastIndexOf('/');
    if (at < 1 || at === text.length - 1)
      throw new Failure(`festival is FESTIVAL/EDITION, such as "Awakenings/2026".`, 2, {
        field: 'festival',
        code: 'edition_format',
      });
    return { festival: { name: text.slice(0, at) }, edition: text.slice(at + 1).trim() };
  }
}

const definitionOf = (kind: FeedKind, field: string): EditableField =>
  editableFieldsOf(kind)[field] as EditableField;

function listDefinition(kind: FeedKind, field: string): EditableField {
  const definition = definitionOf(kind, field);
  if (isListField(definition)) return definition;
  throw new Failure(`${field} has one value, not a list. Set it with ${field}=VALUE.`, 2);
}

/** The code of an invalid value whose form people know; other mistakes are described by the schema. */
function invalidValueCode(field: string): { code?: string } {
  if (field === 'country') return { code: 'value_country' };
  if (/^(?:start|end|published)_at$/.test(field)) return { code: 'value_time' };
  if (/(?:^|_)url$|^website$/.test(field)) return { code: 'value_url' };
  return field === 'timezone' ? { code: 'value_timezone' } : {};
}

/** A number as people write it; other text stays text, so that the schema names the mistake. */
const numberOf = (text: string): unknown =>
  /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text.trim()) : text;

/**
 * The JSON value that a text holds; undefined if it is other text, such as the name "[a:rpia:r]".
 * @throws Failure if it is JSON with a mistake: a bracket without its end, or with quotes behind it
 */
function jsonOf(field: string, text: string, start: '[' | '{'): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith(start)) return undefined;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch (failure) {
    const end = start === '[' ? ']' : '}';
    if (trimmed.includes(end) && !trimmed.includes('"')) return undefined;
    const { message } = failure as Error;
    throw new Failure(`${field} begins as JSON but is none: ${message}. Nothing was changed.`, 2, {
      field,
      code: 'json',
    });
  }
}

/** A link with the type that its host tells. */
function linkOf(text: string): unknown {
  const url = text.trim();
  return { type: parseProfileLinks([url]).links[0]?.type ?? 'website', url };
}

/** `discogs:123` as an object. */
function idsOf(field: string, text: string): Record<string, string> {
  const at = text.indexOf(':');
  const [service, id] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  if (!/^[a-z_]+$/.test(service) || id === '')
    throw new Failure(`${field} takes SERVICE:ID, such as discogs:28795. Nothing was changed.`, 2, {
      field,
      code: 'id_format',
    });
  return { [service]: id };
}
