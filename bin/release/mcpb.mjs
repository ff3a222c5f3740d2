/**
 * Makes an MCP bundle (.mcpb): a zip with a manifest and the executable, which desktop clients install with one click.
 * The format is https://github.com/anthropics/mcpb/blob/main/MANIFEST.md, version 0.3.
 */
import { makeZip } from './archives.mjs';
import { drawIcon } from './icon.mjs';

const platforms = { linux: 'linux', darwin: 'darwin', win: 'win32' };

/** The tools as an installation dialog shows them. */
const tools = [
  [
    'search_events',
    'Events and festival editions by city, genre, artist, venue, festival, label, dates or free text',
  ],
  ['artist_info', 'Genres, labels, links, next event and latest mixes of an artist'],
  ['artist_upcoming_events', 'Upcoming events and festivals of an artist'],
  ['venue_upcoming_events', 'Upcoming events, address and capacity of a venue'],
].map(([name, description]) => ({ name, description }));

/** Returns the manifest of the bundle for a target such as `darwin-arm64`. */
export function mcpbManifest({ target, version }) {
  const [system] = target.split('-');
  const program = `server/cratebase${system === 'win' ? '.exe' : ''}`;
  return {
    manifest_version: '0.3',
    name: 'cratebase',
    display_name: 'cratebase',
    version,
    description: 'Electronic music: artists, events, festivals, venues, labels and mixes.',
    long_description:
      'A catalogue of electronic music on this computer. It answers questions about artists, events with line-ups and tickets, festivals, venues, labels and mixes, without an account and without network. The first start creates the data file with a starter catalogue; `cratebase add` adds sources.',
    author: { name: 'cratebase' },
    license: 'MIT',
    icon: 'icon.png',
    server: {
      type: 'binary',
      entry_point: program,
      mcp_config: {
        command: `\${__dirname}/${program}`,
        args: ['mcp'],
        env: { CRATEBASE_DATA: `\${user_config.data_file}` },
      },
    },
    tools,
    user_config: {
      data_file: {
        type: 'string',
        title: 'Data file',
        description: 'The catalogue. A file that does not exist is created.',
        required: false,
        default: `\${HOME}/cratebase.db`,
      },
    },
    compatibility: { platforms: [platforms[system]] },
    keywords: ['music', 'events', 'electronic', 'festivals'],
  };
}

/** Returns the files of a bundle. */
export function mcpbFiles({ target, version, executable, license, notices }) {
  const manifest = mcpbManifest({ target, version });
  return [
    { path: 'manifest.json', content: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: 'icon.png', content: drawIcon(512) },
    { path: manifest.server.entry_point, content: executable, mode: 0o755 },
    { path: 'LICENSE', content: license },
    { path: 'THIRD-PARTY-NOTICES.txt', content: notices },
  ];
}

/** Returns the name and content of a bundle. */
export const makeMcpb = (options) => [
  `cratebase-${options.version}-${options.target}.mcpb`,
  makeZip(mcpbFiles(options), options.time),
];
