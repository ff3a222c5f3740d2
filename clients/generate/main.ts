/**
 * Writes the generated files of the clients: `npm run clients`. `--check` writes nothing, and ends with status 1 if a
 * file is not what it would write.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brunoCollection } from './bruno.ts';
import { goClient } from './go.ts';
import { readApi } from './model.ts';
import { pythonClient } from './python.ts';
import { typescriptClient } from './typescript.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Returns all generated files by their path below `clients`. */
export function generatedFiles(): Map<string, string> {
  const { version } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as { version: string };
  const api = readApi(version);
  return new Map([
    ['typescript/generated.ts', typescriptClient(api)],
    ['python/cratebase/generated.py', pythonClient(api)],
    ['go/generated.go', alignGo(goClient(api))],
    ...[...brunoCollection(api)].map(([path, text]): [string, string] => [`bruno/${path}`, text]),
  ]);
}

/** Aligns the fields of structs as gofmt does, so that the file is the same with and without Go. */
export function alignGo(text: string): string {
  return text.replace(/^type \w+ struct \{\n[\s\S]*?^\}/gm, (struct) =>
    alignFields(struct.split('\n')).join('\n'),
  );
}

/** Pads names and types of consecutive lines; a comment ends such a run, except between fields of one block. */
function alignFields(lines: readonly string[]): string[] {
  const isField = (line: string) => /^\t\w+ /.test(line);
  const aligned: string[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && isField(lines[end] as string)) end++;
    if (end === start) {
      aligned.push(lines[start++] as string);
      continue;
    }
    const rows = lines.slice(start, end).map((line) => line.trim().split(' '));
    const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const [name = '', type = '', tag] of rows)
      aligned.push(
        tag === undefined
          ? `\t${name.padEnd(widths[0] as number)} ${type}`
          : `\t${name.padEnd(widths[0] as number)} ${type.padEnd(widths[1] as number)} ${tag}`,
      );
    start = end;
  }
  return aligned;
}

/** Returns the paths of files that differ from what is generated. */
export const outdatedFiles = (): string[] =>
  [...generatedFiles()].filter(([path, text]) => isOutdated(path, text)).map(([path]) => path);

const isOutdated = (path: string, text: string): boolean =>
  !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;

/** Writes all files but those that are up to date: another program may be reading them. */
function write(): void {
  rmSync(join(root, 'bruno'), { recursive: true, force: true });
  for (const [path, text] of generatedFiles()) {
    if (!isOutdated(path, text)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

if (import.meta.main) {
  const outdated = outdatedFiles();
  if (!process.argv.includes('--check')) write();
  else if (outdated.length > 0) {
    console.error(`Run npm run clients: ${outdated.join(', ')}`);
    process.exitCode = 1;
  }
}
