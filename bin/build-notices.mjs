/**
 * Third-party notices of the executable, collected at each build from the files in it. A package without a known licence
 * fails the build.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Licence texts for packages that name a licence without its text. */
const standardTexts = {
  MIT: (holder) => `The MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  'MPL-2.0': (holder) => `Copyright (c) ${holder}

This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/. The source code is at the address of the package in the npm registry and in its repository; it is unchanged here.`,
  ISC: (holder) => `ISC License

Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/**
 * Returns the package folders of files (paths from `root`), each once. Code that a package includes without a
 * package.json counts as part of that package.
 */
export function packageFolders(root, paths) {
  const folders = new Set();
  for (const path of paths.filter((path) => /(^|\/)node_modules\//.test(path))) {
    let folder = join(root, dirname(path));
    while (!isPackage(folder)) {
      if (dirname(folder) === folder) throw new Error(`${path} belongs to no package`);
      folder = dirname(folder);
    }
    folders.add(folder);
  }
  return [...folders].sort();
}

/** Returns whether the folder is a package: a nested package.json that only sets the module type has no version. */
const isPackage = (folder) => existsSync(join(folder, 'package.json')) && 'version' in readManifest(folder);

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Reads a package: name, version, licence, and all licence texts. */
export function readPackage(folder) {
  const { name, version, license, author } = readManifest(folder);
  const files = readdirSync(folder).filter((file) =>
    /^(licen[cs]e|copying|notice)|\.license\.txt$/i.test(file),
  );
  // Codecs in WebAssembly have the licence of their original source beside them.
  const nested = ['codec', 'lib/resize'].map((path) => join(path, 'LICENSE.codec.md'));
  files.push(...nested.filter((path) => existsSync(join(folder, path))));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) {
    const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
    const standard = standardTexts[license];
    if (!standard) throw new Error(`${name}@${version} has no licence that could be passed on (${license})`);
    texts.push(standard(holder.replace(/\s*[<(].*$/, '')));
  }
  if (!license) throw new Error(`${name}@${version} does not name its licence`);
  return { name, version, license, texts, path: folder };
}

/**
 * Returns the text of THIRD-PARTY-NOTICES.txt.
 * @param parts packages as `readPackage` returns them, and other parts: `{ name, version, license, texts }`
 */
export function writeNotices(parts) {
  const unique = new Map(parts.map((part) => [`${part.name}@${part.version}`, part]));
  const sections = [...unique.values()].map(
    ({ name, version, license, texts }) =>
      `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${texts.join('\n\n')}\n`,
  );
  return `The executable of cratebase contains the works below, each under its own licence.\n\n${sections.join('\n')}`.replaceAll(
    '\r\n',
    '\n',
  );
}
