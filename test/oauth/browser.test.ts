/** An agent's authorization in a real browser, Debian's chromium: what only a browser does to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import { openStage, pkce, type Service, type Stage } from '../support/oauth.ts';

const skip = skipWithoutBrowser;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type Axe = { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };

describe('in a browser', { skip }, () => {
  let stage: Stage;
  let service: Service;
  let app: Server;
  let callback: string;
  let browser: Browser;
  let page: Page;
  let client: string;
  before(async () => {
    stage = await openStage();
    service = stage.service;
    app = createServer((_request, response) => response.end('<!doctype html><title>The app</title>'));
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    client = (await service.register({ client_name: 'An agent', redirect_uris: [callback] })).client_id;
    browser = await startBrowser();
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(10_000);
  });
  after(async () => {
    await browser?.close();
    app?.closeAllConnections();
    app?.close();
    await stage?.close();
  });

  const asking = (more: Record<string, string> = {}) => {
    const { challenge, verifier } = pkce();
    const given = { client_id: client, redirect_uri: callback, code_challenge: challenge };
    return { address: service.authorizeUrl({ ...given, ...more }), verifier };
  };

  async function assertAccessible(): Promise<void> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => (globalThis as unknown as Axe).axe.run());
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      [],
      page.url(),
    );
  }

  it('a visitor without an account creates one on the way, allows the agent, and the agent is connected', async () => {
    const { address, verifier } = asking();
    await page.goto(address);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email').fill('browser@example.com');
    await page.getByLabel('Password').fill('a long enough one');
    await page.locator('main button[type=submit]').click();
    await page.getByRole('heading', { name: 'Allow access for a program on this computer?' }).waitFor();
    await assertAccessible();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${callback}?**`);
    const code = new URL(page.url()).searchParams.get('code') as string;
    const { body } = await service.redeem(client, code, verifier, { redirect_uri: callback });
    assert.equal((await service.call(String(body.access_token))).status, 200);
  });

  it('going back finds the request over', async () => {
    await page.goBack();
    await page.getByRole('heading', { name: 'This request is over' }).waitFor();
    await assertAccessible();
  });

  it('is denied with the keyboard alone', async () => {
    await page.goto(asking().address);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (let steps = 0; (await focused()) !== 'Deny'; steps += 1) {
      assert.ok(steps < 20, 'Deny is reached');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callback}?**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  });

  it('two tabs are two requests', async () => {
    const other = await page.context().newPage();
    await page.goto(asking({ state: 'one' }).address);
    await other.goto(asking({ state: 'two' }).address);
    for (const [tab, state] of [
      [page, 'one'],
      [other, 'two'],
    ] as const) {
      await tab.getByRole('button', { name: 'Allow' }).click();
      await tab.waitForURL(`${callback}?**`);
      const { searchParams } = new URL(tab.url());
      assert.deepEqual([searchParams.get('state'), searchParams.has('code')], [state, true]);
    }
    await other.close();
  });

  it('the answer reaches an app that has a scheme of its own', async () => {
    const { client_id: own } = await service.register({
      client_name: 'Editor',
      redirect_uris: ['com.example.editor:/cb'],
    });
    await page.goto(asking({ client_id: own, redirect_uri: 'com.example.editor:/cb' }).address);
    const answer = page.waitForResponse((response) => /\/oauth\/authorize\/\S+$/.test(response.url()));
    await page.getByRole('button', { name: 'Allow' }).click();
    const location = (await (await answer).allHeaders()).location;
    assert.match(location ?? '', /^com\.example\.editor:\/cb\?code=/);
  });

  it('a request that is not in order is explained', async () => {
    await page.goto(asking({ client_id: 'unknown' }).address);
    await page.getByRole('heading', { name: 'This app cannot be let in' }).waitFor();
    await assertAccessible();
  });
});
