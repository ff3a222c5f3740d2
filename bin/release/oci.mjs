/**
 * Makes a container image without a container engine: an OCI image layout (image-spec v1.1) in a tar archive. The base
 * layer has the few libraries that the executable links, from Debian packages; the second layer has the executable.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersOf, gzip, makeTar } from './archives.mjs';
import { debianArchitectures } from './deb.mjs';

/** The packages of the base layer. */
const basePackages = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6'];

/** Whether this machine can download and unpack Debian packages. */
export const canMakeImages = () =>
  ['/usr/bin/apt-get', '/usr/bin/dpkg-deb'].every((path) => existsSync(path));

/** Downloads Debian packages of an architecture with a package index of its own; this machine's stays as it is. */
function downloadPackages(architecture, folder) {
  const state = join(folder, 'apt');
  for (const path of ['lists/partial', 'cache/archives/partial', 'etc'])
    mkdirSync(join(state, path), { recursive: true });
  writeFileSync(join(state, 'status'), '');
  const options = {
    'Dir::State': state,
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache': join(state, 'cache'),
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': 'root',
  };
  const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const run = (...words) =>
    execFileSync('apt-get', [...args, '-qq', ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  run('update');
  run('download', ...basePackages);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .sort()
    .map((name) => join(folder, name));
}

/** The files, folders and links below a folder as entries, sorted by path. */
function entriesBelow(folder, prefix = '') {
  return readdirSync(join(folder, prefix))
    .sort()
    .flatMap((name) => {
      const path = prefix === '' ? name : `${prefix}/${name}`;
      const stat = lstatSync(join(folder, path));
      const mode = stat.mode & 0o7777;
      if (stat.isSymbolicLink())
        return [{ path, type: 'symlink', target: readlinkSync(join(folder, path)), mode: 0o777 }];
      if (stat.isDirectory())
        return [{ path: `${path}/`, type: 'directory', mode }, ...entriesBelow(folder, path)];
      return [{ path, content: readFileSync(join(folder, path)), mode }];
    });
}

/** Documentation and character sets that a service does not need. */
const isNeeded = ({ path }) => !/^usr\/(share\/(doc|man|locale|lintian|gdb)|lib\/[^/]+\/gconv)\//.test(path);

function baseEntries(architecture) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-image-'));
  try {
    const root = join(folder, 'root');
    mkdirSync(root);
    for (const path of downloadPackages(architecture, folder))
      execFileSync('dpkg-deb', ['-x', path, root], { stdio: ['ignore', 'ignore', 'pipe'] });
    const entries = entriesBelow(root).filter(isNeeded);
    return [
      ...entries,
      {
        path: 'etc/passwd',
        content:
          'root:x:0:0:root:/root:/sbin/nologin\ncratebase:x:10001:10001:cratebase:/data:/sbin/nologin\n',
      },
      { path: 'etc/group', content: 'root:x:0:\ncratebase:x:10001:\n' },
      // Named volumes take over the owner of the folder.
      { path: 'data/', type: 'directory', mode: 0o700, owner: 10001 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/**
 * Returns the image as a tar archive.
 * @param {{ version: string, images: { target: string, executable: Buffer, notices: Buffer }[], time: Date }} input
 * @returns {Promise<Buffer>}
 */
export async function makeImage({ version, images, time }) {
  const blobs = new Map();
  const addBlob = (mediaType, content) => {
    const digest = sha256(content);
    blobs.set(digest, content);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const addJson = (mediaType, value) => addBlob(mediaType, Buffer.from(JSON.stringify(value)));
  const manifests = [];
  for (const { target, executable, notices } of images) {
    const architecture = debianArchitectures[target];
    const programFiles = [
      { path: 'usr/bin/cratebase', content: executable, mode: 0o755 },
      { path: 'usr/share/doc/cratebase/THIRD-PARTY-NOTICES.txt', content: notices },
    ];
    const layers = [
      await makeTar(baseEntries(architecture), time),
      await makeTar([...foldersOf(programFiles), ...programFiles], time),
    ];
    const config = addJson('application/vnd.oci.image.config.v1+json', {
      created: time.toISOString(),
      architecture,
      os: 'linux',
      config: {
        User: '10001:10001',
        ExposedPorts: { '4880/tcp': {} },
        Env: [
          'PATH=/usr/bin:/bin',
          'HOME=/data',
          'CRATEBASE_DATA=/data/cratebase.db',
          'CRATEBASE_HOST=0.0.0.0',
        ],
        Entrypoint: ['/usr/bin/cratebase'],
        Cmd: ['serve'],
        Volumes: { '/data': {} },
        WorkingDir: '/data',
        Labels: {
          'org.opencontainers.image.title': 'cratebase',
          'org.opencontainers.image.version': version,
        },
      },
      rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${sha256(layer)}`) },
      history: [
        { created: time.toISOString(), comment: `Debian packages ${basePackages.join(', ')}` },
        { created: time.toISOString(), comment: `cratebase ${version}` },
      ],
    });
    const manifest = addJson('application/vnd.oci.image.manifest.v1+json', {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config,
      layers: layers.map((layer) => addBlob('application/vnd.oci.image.layer.v1.tar+gzip', gzip(layer))),
    });
    manifests.push({ ...manifest, platform: { architecture, os: 'linux' } });
  }
  const imageIndex = addJson('application/vnd.oci.image.index.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests,
  });
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      { ...imageIndex, annotations: { 'org.opencontainers.image.ref.name': `cratebase:${version}` } },
    ],
  };
  const entries = [
    { path: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', content: JSON.stringify(index) },
    ...[...blobs.keys()].sort().map((digest) => ({
      path: `blobs/sha256/${digest}`,
      content: blobs.get(digest),
    })),
  ];
  return makeTar([...foldersOf(entries), ...entries], time);
}
