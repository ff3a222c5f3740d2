/** A real browser for the tests of pages: Debian's chromium. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { afterEach } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

/** Why tests cannot use the browser; false if they can. For the option `skip` of a test. */
export const skipWithoutBrowser: string | false = existsSync(executablePath)
  ? false
  : `${executablePath} is not here`;

/** Starts the browser. The caller closes it after the tests. */
export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args });

/** Chromium reports each status of 400 and above on the console. */
const statusMessage = /the server responded with a status/;

export type PageRules = {
  /** What the addresses of all requests start with. */
  origin: string;
  /** Whether statuses of 400 and above are complaints, too. */
  refusesStatuses?: boolean;
};

/**
 * Makes each test of the file fail during which a watched page complains: of an uncaught error, on its console, or by a
 * request to elsewhere. What a page says after the last test does not count: its server stops before the browser.
 * @returns watches a page from now on
 */
export function failOnComplaints(): (page: Page, rules: PageRules) => void {
  const complaints: string[] = [];
  afterEach(() => assert.deepEqual(complaints.splice(0), []));
  return (page, { origin, refusesStatuses = false }) => {
    const complain = (text: string) => void complaints.push(`${page.url()}: ${text}`);
    page.on('pageerror', ({ message }) => complain(message));
    page.on('console', (message) => {
      const isStatus = !refusesStatuses && statusMessage.test(message.text());
      if (message.type() === 'error' && !isStatus) complain(message.text());
    });
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(origin) || request.url().startsWith('data:');
      if (!isOwn) complain(`asked for ${request.url()}`);
    });
  };
}
