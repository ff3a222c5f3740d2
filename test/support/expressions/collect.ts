/** Collects every regular expression of `src`: the literals from its syntax trees, the constructed ones as they are made. */
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { transform } from 'esbuild';

/** One regular expression of the product. */
export type Expression = {
  /** Path under the repository, "src/text/links.ts". */
  file: string;
  /** From 1. */
  line: number;
  /** The declarations around it, outermost first: "readEntry.unquoted"; '' at the top of a file. */
  within: string;
  source: string;
  flags: string;
};
/** A place where the product constructs an expression. */
export type Construction = { file: string; line: number };

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** @returns paths of the modules of `src`, under the repository, sorted */
export const modules = (): string[] =>
  readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => `src/${path}`)
    .sort();

/** Reads the literals of one module, and the places where it calls `RegExp`. */
export async function literalsOf(
  file: string,
): Promise<{ literals: Expression[]; constructions: Construction[] }> {
  const { code, map } = await transform(readFileSync(`${root}${file}`, 'utf8'), {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    format: 'esm',
    target: 'esnext',
    sourcemap: 'external',
    sourcefile: file,
  });
  const lines = new SourceMap(JSON.parse(map));
  const literals: Expression[] = [];
  const constructions: Construction[] = [];
  const visit = (node: AnyNode, within: string[]): void => {
    const named = nameOf(node);
    const inside = named === null ? within : [...within, named];
    const line = (): number => {
      const start = node.loc?.start ?? { line: 1, column: 0 };
      const entry = lines.findEntry(start.line - 1, start.column);
      return 'originalLine' in entry ? entry.originalLine + 1 : 0;
    };
    if (node.type === 'Literal' && 'regex' in node && node.regex)
      literals.push({
        file,
        line: line(),
        within: within.join('.'),
        source: node.regex.pattern,
        flags: node.regex.flags,
      });
    if (
      (node.type === 'NewExpression' || node.type === 'CallExpression') &&
      node.callee.type === 'Identifier' &&
      node.callee.name === 'RegExp'
    )
      constructions.push({ file, line: line() });
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (child !== null && typeof child === 'object' && 'type' in child) visit(child as AnyNode, inside);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), []);
  return { literals, constructions };
}

function nameOf(node: AnyNode): string | null {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id?.name ?? null;
  if (node.type === 'VariableDeclarator') return node.id.type === 'Identifier' ? node.id.name : null;
  if (node.type === 'MethodDefinition' || node.type === 'Property')
    return node.key.type === 'Identifier' ? node.key.name : null;
  return null;
}

/**
 * Records every expression that modules of `src` construct from now on.
 * @returns those constructed so far, and where; the last call site in `src` counts
 */
export function watchConstructions(): () => Expression[] {
  const seen = new Map<string, Expression>();
  const original = RegExp;
  const record = (made: RegExp): void => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 30;
    const stack = new Error().stack ?? '';
    Error.stackTraceLimit = limit;
    const at = stack.split('\n').find((line) => line.includes('/src/') && !line.includes('node_modules'));
    const place =
      at === undefined ? null : /(?:at (\S+) )?\(?(?:file:\/\/)?[^ (]*\/(src\/[^:]+):(\d+):\d+\)?$/.exec(at);
    if (place === null) return;
    const [, within = '', file = '', line = '0'] = place;
    const expression = { file, line: Number(line), within, source: made.source, flags: made.flags };
    seen.set(`${file}:${line}:${made.flags}:${made.source}`, expression);
  };
  globalThis.RegExp = new Proxy(original, {
    construct(target, given, newTarget) {
      const made = Reflect.construct(target, given, newTarget === globalThis.RegExp ? target : newTarget);
      record(made);
      return made;
    },
    apply(target, self, given) {
      const made = Reflect.apply(target, self, given);
      record(made);
      return made;
    },
  });
  return () => [...seen.values()];
}
