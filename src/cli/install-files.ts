/** The files that `cratebase install` writes: the systemd unit, its settings, a command for the operator, proxy examples. */
import { readAsset } from '../assets.ts';

export type InstallOptions = {
  /** Path of the executable on the installed system. */
  binary: string;
  /** The public address; null: the operator sets it later. */
  baseUrl: URL | null;
  /** Where the service listens, as `127.0.0.1:4880`. */
  listen: string;
};

/** A file by its path on the installed system. */
export type InstallFile = {
  path: string;
  text: string;
  mode: number;
  /** An administrator edits it: an existing one is never replaced. */
  isSetting: boolean;
};

const exampleHost = 'music.example.org';

/** Returns the files in the order in which they are written. */
export function installFiles({ binary, baseUrl, listen }: InstallOptions): InstallFile[] {
  const host = baseUrl?.hostname ?? exampleHost;
  const withBinary = (text: string) => text.replaceAll('/usr/bin/cratebase', binary);
  const withHost = (text: string) => text.replaceAll(exampleHost, host).replaceAll('127.0.0.1:4880', listen);
  return [
    file(
      '/etc/systemd/system/cratebase.service',
      withBinary(readAsset('examples/service/cratebase.service')),
    ),
    { ...file('/etc/cratebase/env', envText(baseUrl, listen), 0o640), isSetting: true },
    file('/usr/local/sbin/cratebasectl', withBinary(readAsset('examples/service/cratebasectl')), 0o755),
    file('/etc/cratebase/proxy/nginx.conf', withHost(readAsset('examples/proxy/nginx.conf'))),
    file('/etc/cratebase/proxy/Caddyfile', withHost(readAsset('examples/proxy/Caddyfile'))),
  ];
}

const file = (path: string, text: string, mode = 0o644): InstallFile => ({
  path,
  text,
  mode,
  isSetting: false,
});

/** The settings with the public address and the listening address filled in. */
function envText(baseUrl: URL | null, listen: string): string {
  let text = readAsset('examples/service/env');
  const set = (name: string, value: string) => {
    const lines = text.split('\n');
    text = lines.map((line) => (line.startsWith(`#${name}=`) ? `${name}=${value}` : line)).join('\n');
  };
  if (baseUrl !== null) {
    set('CRATEBASE_BASE_URL', baseUrl.href.replace(/\/$/, ''));
    set('CRATEBASE_TRUST_PROXY', 'true');
  }
  const colon = listen.lastIndexOf(':');
  if (listen !== '127.0.0.1:4880') {
    // An IPv6 address has brackets beside a port only.
    set('CRATEBASE_HOST', listen.slice(0, colon).replace(/^\[|\]$/g, ''));
    set('CRATEBASE_PORT', listen.slice(colon + 1));
  }
  return text;
}
