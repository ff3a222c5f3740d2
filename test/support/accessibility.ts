/** Checks a page in a real browser with axe, at WCAG 2.2 AA. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };

/** Asserts that axe finds nothing wrong, and that nothing is wider than the window. */
export async function assertUsable(page: Page, where = page.url()): Promise<void> {
  await page.evaluate(axe);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const run = `axe.run({ runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as Violation[];
  const messages = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  assert.deepEqual(messages, [], where);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.ok(Number(overflow) <= 0, `${where} is ${overflow} px too wide`);
}

/** Asserts the same of a page with all its details open, and that it has less than 50 KB. */
export async function isAccessible(page: Page): Promise<void> {
  const where = `${page.url()} "${await page.title()}"`;
  await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
  await assertUsable(page, where);
  const bytes = await page.evaluate(
    'performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).reduce((sum, entry) => sum + entry.decodedBodySize, 0)',
  );
  assert.ok(Number(bytes) < 50_000, `${where}: ${bytes} bytes`);
}
