/** Generates clients/typescript/generated.ts. */
import {
  type ApiModel,
  type Field,
  type FieldType,
  header,
  type OperationModel,
  pascalCase,
  pathParametersOf,
  queryOf,
} from './model.ts';

/** Returns the text of the TypeScript client. */
export function typescriptClient({ records, operations }: ApiModel): string {
  const parts = [
    `// ${header}`,
    "import { Client, type List } from './client.ts';",
    ...records.map(
      ({ name, description, fields }) =>
        `${comment(description)}export type ${name} = {\n${fields.map(([field, type]) => member(field, type)).join('')}};`,
    ),
    ...operations.filter((one) => queryOf(one).length > 0).map(parameterType),
    `/** A client of a cratebase service, with a method for each operation of its API. */\nexport class Cratebase extends Client {\n${operations.map(method).join('\n')}}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const comment = (text: string, indent = ''): string =>
  text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;

const member = (name: string, field: Field): string =>
  `${comment(field.description, '  ')}  ${name}: ${typeOf(field)};\n`;

const typeOf = ({ type, isNullable }: Field): string => `${plainTypeOf(type)}${isNullable ? ' | null' : ''}`;

function plainTypeOf(type: FieldType): string {
  if (type.kind === 'list') {
    const entry = typeOf(type.of);
    return entry.includes(' | ') ? `(${entry})[]` : `${entry}[]`;
  }
  if (type.kind === 'record') return type.names.join(' | ');
  if (type.kind !== 'string') return type.kind === 'boolean' ? 'boolean' : 'number';
  // Later versions may add values.
  return type.values.length === 0
    ? 'string'
    : [...type.values.map((value) => `'${value}'`), '(string & {})'].join(' | ');
}

const parameterTypeName = ({ id }: OperationModel): string => `${pascalCase(id)}Parameters`;

function parameterType(operation: OperationModel): string {
  const members = queryOf(operation).map(
    ({ name, isRequired, isInteger, description }) =>
      `${comment(description, '  ')}  ${name}${isRequired ? '' : '?'}: ${isInteger ? 'number' : 'string'} | undefined;\n`,
  );
  return `export type ${parameterTypeName(operation)} = {\n${members.join('')}};`;
}

function method(operation: OperationModel): string {
  const { id, description, returns, isList } = operation;
  const names = pathParametersOf(operation).map(({ name }) => name);
  const query = queryOf(operation);
  const isRequired = query.some((parameter) => parameter.isRequired);
  const parameters = [
    ...names.map((name) => `${name}: string`),
    ...(query.length === 0
      ? []
      : [`parameters: ${parameterTypeName(operation)}${isRequired ? '' : ' = {}'}`]),
  ];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(${name})}`);
  const quoted = names.length === 0 ? `'${path}'` : `\`${path}\``;
  const [result, call] = isList
    ? [`List<${returns}>`, `this.list(${quoted}${query.length === 0 ? '' : ', parameters'})`]
    : [`Promise<${returns}>`, `this.detail(${quoted})`];
  return `${comment(description, '  ')}  ${id}(${parameters.join(', ')}): ${result} {\n    return ${call};\n  }\n`;
}
