/**
 * The program in parts: what the source imports on demand (`import()`) is read and compiled when it is needed first. esbuild
 * splits the program into ES modules. The main file of an executable cannot import those, so each becomes the text of a
 * function here, which `bin/run-parts.cjs` calls.
 */
import { basename } from 'node:path';
import { parse } from 'acorn';
import { toAscii } from './ascii-script.mjs';
import { bundleOptions } from './bundle-options.mjs';
import { nodesBelow } from './syntax-tree.mjs';

/** How esbuild splits the program. Its outputs are for `makeParts`; the part of the entry is `main.js`. */
export const partOptions = {
  ...bundleOptions,
  entryPoints: ['src/cli/main.ts'],
  format: 'esm',
  splitting: true,
  supported: {},
  // Files are not written; their names need a folder.
  write: false,
  outdir: 'parts',
  chunkNames: '[name]-[hash]',
};

const parameters = '__parts, require, module, exports, __filename, __dirname';

/**
 * Makes the parts of what esbuild put out.
 *
 * @param {{ path: string, text: string }[]} outputs
 * @returns {Map<string, string>} the text of the function of each part, by its name
 * @throws Error if a part cannot be a function, or if parts need each other in a circle: a function returns what its part
 *   exports when all of it has run
 */
export function makeParts(outputs) {
  const parts = new Map();
  const dependencies = new Map();
  for (const { path, text } of outputs) {
    const name = basename(path);
    const { code, needed } = toFunctionBody(text, name);
    parts.set(name, toAscii(`(function (${parameters}) {"use strict";${code}\n})`));
    dependencies.set(name, needed);
  }
  findCircle(dependencies);
  return parts;
}

/** Replaces imports and exports by calls and a `return`; `needed` are the parts that are imported at the start. */
function toFunctionBody(text, name) {
  const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const needed = [];
  const edits = [];
  const exported = new Set();
  for (const node of tree.body) {
    if (node.type === 'ImportDeclaration') {
      if (isPart(node.source.value)) needed.push(basename(node.source.value));
      edits.push({ ...placeOf(node), by: importedBy(node, name) });
    } else if (node.type === 'ExportNamedDeclaration') {
      const isLast = node === tree.body.at(-1) && node.source === null && node.declaration === null;
      if (!isLast) throw new Error(`${name}: an export before the end`);
      for (const { local } of node.specifiers) exported.add(local.name);
      const values = node.specifiers.map((one) => `${nameOf(one.exported)}:${one.local.name}`);
      edits.push({ ...placeOf(node), by: `return{${values}};` });
    } else if (node.type.startsWith('Export')) {
      throw new Error(`${name}: ${node.type}`);
    }
  }
  for (const { node, isInFunction } of nodesBelow(tree)) {
    if (node.type === 'MetaProperty' && node.meta.name === 'import')
      throw new Error(`${name}: import.meta: ${text.slice(node.start - 40, node.end + 20)}`);
    if (node.type === 'ImportExpression') {
      if (node.source.type !== 'Literal') throw new Error(`${name}: an import() of a variable name`);
      edits.push({ ...placeOf(node), by: `__parts.import(${JSON.stringify(node.source.value)})` });
    }
    // An importer has the value of the end of the part.
    const changed = isInFunction ? changedBy(node).find((variable) => exported.has(variable)) : undefined;
    if (changed !== undefined)
      throw new Error(`${name}: the exported ${changed}, or a variable of this name, is changed later`);
  }
  let code = '';
  let at = 0;
  for (const { start, end, by } of edits.sort((a, b) => a.start - b.start)) {
    code += text.slice(at, start) + by;
    at = end;
  }
  return { code: code + text.slice(at), needed };
}

const isPart = (specifier) => specifier.startsWith('./');
const placeOf = ({ start, end }) => ({ start, end });
/** A name of an export may be a text. */
const nameOf = (node) => (node.type === 'Literal' ? JSON.stringify(node.value) : node.name);

/** The call that stands for an import: of another part, or of a module of Node.js, whose default is all of it. */
function importedBy({ source, specifiers }, name) {
  const call = `${isPart(source.value) ? '__parts.' : ''}require(${JSON.stringify(source.value)})`;
  if (specifiers.length === 0) return `${call};`;
  const named = [];
  let statements = '';
  for (const { type, imported, local } of specifiers) {
    if (type === 'ImportSpecifier') named.push(`${nameOf(imported)}:${local.name}`);
    else if (isPart(source.value)) throw new Error(`${name}: ${type} of ${source.value}`);
    else statements += `const ${local.name}=${call};`;
  }
  return named.length === 0 ? statements : `${statements}const{${named}}=${call};`;
}

/** The names of the variables that a node gives other values. */
function changedBy({ type, left, argument }) {
  if (type === 'AssignmentExpression' || type === 'ForInStatement' || type === 'ForOfStatement')
    return namesIn(left);
  return type === 'UpdateExpression' ? namesIn(argument) : [];
}

/** The names of the variables in the target of an assignment. */
function namesIn(target) {
  switch (target?.type) {
    case 'Identifier':
      return [target.name];
    case 'ArrayPattern':
      return target.elements.flatMap(namesIn);
    case 'ObjectPattern':
      return target.properties.flatMap((property) => namesIn(property.value ?? property));
    case 'AssignmentPattern':
      return namesIn(target.left);
    case 'RestElement':
      return namesIn(target.argument);
    default:
      return [];
  }
}

/** @throws Error that names the parts of the first circle */
function findCircle(dependencies) {
  const finished = new Set();
  const visit = (name, path) => {
    if (finished.has(name)) return;
    if (path.includes(name)) throw new Error(`parts import each other: ${[...path, name].join(', ')}`);
    for (const next of dependencies.get(name)) visit(next, [...path, name]);
    finished.add(name);
  };
  for (const name of dependencies.keys()) visit(name, []);
}
