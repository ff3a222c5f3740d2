/** Generates clients/python/cratebase/generated.py. */
import {
  type ApiModel,
  type Field,
  type FieldType,
  header,
  type OperationModel,
  pathParametersOf,
  queryOf,
  snakeCase,
} from './model.ts';

/** Words that Python does not allow as names. */
const keywords = new Set(['from', 'in', 'is', 'not', 'type', 'class', 'global', 'import', 'lambda', 'with']);

/** Returns the text of the Python client. */
export function pythonClient({ records, operations }: ApiModel): string {
  const parts = [
    `# ${header}\nfrom __future__ import annotations\n\nfrom typing import Literal, TypedDict\n\nfrom .client import Client, List, quote`,
    ...records.map(({ name, description, fields }) =>
      `class ${name}(TypedDict):\n${docstring(description, '    ')}${fields.map(([field, type]) => member(field, type)).join('')}`.trimEnd(),
    ),
    `class Cratebase(Client):\n    """A client of a cratebase service, with a method for each operation of its API."""\n\n${operations.map(method).join('\n')}`.trimEnd(),
  ];
  return `${parts.join('\n\n\n')}\n`;
}

const docstring = (text: string, indent: string): string =>
  text === '' ? '' : `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""\n\n`;

const member = (name: string, field: Field): string =>
  `${field.description === '' ? '' : `    # ${field.description}\n`}    ${name}: ${typeOf(field)}\n`;

const typeOf = ({ type, isNullable }: Field): string => `${plainTypeOf(type)}${isNullable ? ' | None' : ''}`;

function plainTypeOf(type: FieldType): string {
  if (type.kind === 'list') return `list[${typeOf(type.of)}]`;
  if (type.kind === 'record') return type.names.join(' | ');
  if (type.kind === 'boolean') return 'bool';
  if (type.kind !== 'string') return type.kind === 'integer' ? 'int' : 'float';
  // Later versions may add values.
  return type.values.length === 0
    ? 'str'
    : `Literal[${type.values.map((value) => `"${value}"`).join(', ')}] | str`;
}

const safeName = (name: string): string => (keywords.has(name) ? `${name}_` : name);

function method(operation: OperationModel): string {
  const { id, description, returns, isList } = operation;
  const names = pathParametersOf(operation).map(({ name }) => name);
  const query = queryOf(operation);
  const required = query.filter(({ isRequired }) => isRequired);
  const parameters = [
    'self',
    ...names.map((name) => `${name}: str`),
    ...required.map(({ name }) => `${safeName(name)}: str`),
    ...(query.length > required.length ? ['*'] : []),
    ...query
      .filter(({ isRequired }) => !isRequired)
      .map(({ name, isInteger }) => `${safeName(name)}: ${isInteger ? 'int' : 'str'} | None = None`),
  ];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => `{quote(${name})}`);
  const quoted = `${names.length > 0 ? 'f' : ''}"${path}"`;
  const values = query.map(({ name }) => `"${name}": ${safeName(name)}`).join(', ');
  const [result, call] = isList
    ? [`List[${returns}]`, `self._list(${quoted}, {${values}})`]
    : [returns, `self._detail(${quoted})`];
  return `    def ${snakeCase(id)}(${parameters.join(', ')}) -> ${result}:\n${docstring(description, '        ').trimEnd()}\n        return ${call}\n`;
}
