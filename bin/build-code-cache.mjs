/**
 * Records the code cache of an executable. Without it, about a quarter of the time of a start goes into compiling functions
 * when they are called first.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const timeoutMs = 60_000;

/**
 * Runs a service with its first requests, and returns the path of the cache of what was compiled.
 * @param executable one whose main file is `record-code-cache.cjs`
 * @param work a folder for its files
 * @throws Error if the service fails, or if V8 refuses the cache
 */
export async function recordCodeCache(executable, work) {
  const cache = join(work, 'main.cache');
  const args = ['serve', '--data', join(work, 'recorded.db'), '--port', '0', '--dev', '--no-sync', '--json'];
  const env = { ...process.env, CRATEBASE_CODE_CACHE: cache };
  const service = spawn(executable, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(service, 'exit');
  const timer = setTimeout(() => service.kill('SIGKILL'), timeoutMs);
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      const { url, key } = JSON.parse(line);
      if (url === undefined) continue;
      await sendFirstRequests(url, key);
      break;
    }
  } finally {
    service.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  }
  if (!existsSync(cache)) throw new Error('the service that records the code cache failed');
  const check = { ...process.env, CRATEBASE_CODE_CACHE_CHECK: cache };
  if (spawnSync(executable, { env: check }).status !== 0)
    throw new Error('V8 refuses the recorded code cache');
  return cache;
}

async function sendFirstRequests(url, key) {
  const headers = { authorization: `Bearer ${key}` };
  for (const path of ['/healthz', '/api/v1/events?limit=50', '/']) {
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    if (!response.ok)
      throw new Error(`${path} of the service that records the code cache: ${response.status}`);
  }
}
