/** After its start, a service runs the code of first requests once, so that no caller waits for it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openApp } from '../../src/app.ts';
import { readServeConfig } from '../../src/config.ts';
import { warmUp } from '../../src/server/warm-up.ts';
import { startServer } from '../../src/server.ts';
import { feed } from '../support/feed.ts';
import { importFeed, temporaryFolder } from '../support/program.ts';

const delays = { start: 0, step: 0 };

describe('the code of first requests', () => {
  it('runs part by part, also after a part has failed', async () => {
    const ran: string[] = [];
    const logged: unknown[] = [];
    const steps = [
      () => ran.push('first'),
      () => {
        throw new Error('no');
      },
      async () => {
        await new Promise((resolve) => setImmediate(resolve));
        ran.push('later');
      },
      () => ran.push('last'),
    ];
    await warmUp(steps, (level, message) => logged.push([level, message]), delays).done;
    assert.deepEqual(ran, ['first', 'later', 'last']);
    assert.deepEqual(logged, [['warn', 'a part of the service could not be prepared']]);
  });

  it('ends with the service', async () => {
    let count = 0;
    const preparation = warmUp(
      [
        () => {
          count += 1;
          preparation.stop();
        },
        () => {
          count += 1;
        },
      ],
      assert.fail,
      delays,
    );
    await preparation.done;
    assert.equal(count, 1);
  });

  it('is prepared without faults, and without writing', async () => {
    const folder = temporaryFolder();
    const data = join(folder.path, 'first.db');
    importFeed(data, feed);
    const app = openApp({ data, create: false });
    const faults: unknown[] = [];
    const server = await startServer(app, {
      config: readServeConfig({ data, port: '0' }, {}),
      log: (level, message, facts) => void (level !== 'info' && faults.push([message, facts])),
    });
    try {
      const before = app.file.revisionOnDisk();
      await server.prepared;
      assert.deepEqual(faults, []);
      assert.equal(app.file.revisionOnDisk(), before);
      for (const path of ['/docs', '/.well-known/oauth-authorization-server'])
        assert.equal((await fetch(server.baseUrl + path)).status, 200);
    } finally {
      await server.close();
      app.close();
      folder.remove();
    }
  });
});
