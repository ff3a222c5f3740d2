/** Generates the Bruno collection: a request for each operation, in a folder per tag. */
import { type ApiModel, type OperationModel, pathParametersOf, queryOf } from './model.ts';

/** Returns the files of the collection, by path. */
export function brunoCollection({ operations }: ApiModel): Map<string, string> {
  const files = new Map<string, string>();
  files.set(
    'bruno.json',
    `${JSON.stringify({ version: '1', name: 'cratebase', type: 'collection', ignore: ['node_modules'] }, null, 2)}\n`,
  );
  files.set('collection.bru', 'auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{key}}\n}\n');
  files.set(
    'environments/local.bru',
    'vars {\n  baseUrl: http://127.0.0.1:4880\n}\n\nvars:secret [\n  key\n]\n',
  );
  for (const [index, operation] of operations.entries())
    files.set(`${operation.tag}/${operation.id}.bru`, requestFile(operation, index + 1));
  return files;
}

function requestFile(operation: OperationModel, position: number): string {
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
  const query = queryOf(operation).map(({ name, example, isRequired }) => ({
    line: `${isRequired || name === 'limit' ? '' : '~'}${name}: ${example}`,
    isOn: isRequired || name === 'limit',
    pair: `${name}=${encodeURIComponent(example)}`,
  }));
  const on = query.filter(({ isOn }) => isOn).map(({ pair }) => pair);
  const url = `{{baseUrl}}${path}${on.length > 0 ? `?${on.join('&')}` : ''}`;
  return [
    block('meta', [`name: ${operation.id}`, 'type: http', `seq: ${position}`]),
    block('get', [`url: ${url}`, 'body: none', 'auth: inherit']),
    block(
      'params:query',
      query.map(({ line }) => line),
    ),
    block(
      'params:path',
      pathParametersOf(operation).map(({ name, example }) => `${name}: ${example}`),
    ),
    block('docs', [operation.description]),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
