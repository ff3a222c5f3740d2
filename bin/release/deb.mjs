/** Makes a Debian package: an ar archive of `debian-binary`, `control.tar.gz` and `data.tar.gz` (deb(5)). */
import { createHash } from 'node:crypto';
import { foldersOf, gzip, makeTar } from './archives.mjs';

/** Debian's names of the architectures. */
export const debianArchitectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

const postinst = `#!/bin/sh
# Creates the user of the service and starts the service, or restarts it after an upgrade.
set -e
if [ "$1" = configure ]; then
  if ! getent passwd cratebase >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/cratebase --no-create-home --shell /usr/sbin/nologin cratebase
  fi
  install -d -o cratebase -g cratebase -m 0700 /var/lib/cratebase
  chown root:cratebase /etc/cratebase/env
  chmod 0640 /etc/cratebase/env
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -z "$2" ]; then systemctl enable --now cratebase.service; else systemctl try-restart cratebase.service; fi
  fi
fi
`;

const prerm = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now cratebase.service; fi
`;

const postrm = `#!/bin/sh
# The data file stays when the package is removed or purged: only its owner deletes it.
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ] && [ -d /var/lib/cratebase ]; then
  echo "The data stays in /var/lib/cratebase. Delete the folder and the user cratebase if you no longer need them."
fi
`;

/**
 * Returns the package.
 * @param {{ version: string, target: 'linux-x64' | 'linux-arm64', entries: import('./archives.mjs').Entry[], time: Date }} input
 *   `entries` are the installed files; those below etc/ are configuration files
 * @returns {Promise<{ name: string, content: Buffer }>}
 */
export async function makeDeb({ version, target, entries, time }) {
  const architecture = debianArchitectures[target];
  const size = entries.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  const control = [
    'Package: cratebase',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: the cratebase developers <cratebase@localhost>',
    `Installed-Size: ${Math.ceil(size / 1024)}`,
    'Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, passwd',
    'Recommends: ca-certificates',
    'Section: web',
    'Priority: optional',
    'Description: catalogue of electronic music',
    ' One executable and one data file serve artists, events, festivals, venues, labels',
    ' and podcasts as web pages, over a REST API and to AI agents (MCP).',
    '',
  ].join('\n');
  const sums = entries.map(
    ({ path, content }) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`,
  );
  const configuration = entries.filter(({ path }) => path.startsWith('etc/')).map(({ path }) => `/${path}\n`);
  const controlFiles = [
    { path: './control', content: control },
    { path: './md5sums', content: sums.join('') },
    { path: './conffiles', content: configuration.join('') },
    { path: './postinst', content: postinst, mode: 0o755 },
    { path: './prerm', content: prerm, mode: 0o755 },
    { path: './postrm', content: postrm, mode: 0o755 },
  ];
  const installed = entries.map((entry) => ({ ...entry, path: `./${entry.path}` }));
  const content = ar(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', gzip(await makeTar([{ path: './', type: 'directory' }, ...controlFiles], time))],
      ['data.tar.gz', gzip(await makeTar([...foldersOf(installed), ...installed], time))],
    ],
    time,
  );
  return { name: `cratebase_${version}_${architecture}.deb`, content };
}

/** An ar archive in the common format: 60 bytes before each file, and even offsets. */
function ar(files, time) {
  const seconds = String(Math.trunc(time.getTime() / 1000));
  const parts = files.flatMap(([name, content]) => [
    Buffer.from(
      `${name.padEnd(16)}${seconds.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.alloc(content.length % 2, '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
