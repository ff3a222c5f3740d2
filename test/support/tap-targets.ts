/** Measures how large links, buttons and fields are for a thumb, in a real browser. */
import type { Page } from 'playwright-core';

export type Target = { text: string; height: number; width: number; html: string };

/**
 * Runs in the page. A target is as large as the area around its middle that a touch on it reaches: covers of a whole entry
 * count, and what lies above it does not. Links within a sentence have the height of its lines (WCAG 2.2, 2.5.8).
 */
const measure = `(() => {
  const interactive = 'a[href], button, input, select, textarea, summary, audio';
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.matches('input[type=hidden]') && element.closest('.hidden, .skip') === null;
  const isInline = (element) => getComputedStyle(element).display === 'inline';
  /** The block that an element stands on a line of: the element itself, unless it is inline. */
  const lineBox = (element) => {
    let at = element;
    while (isInline(at) && at.parentElement) at = at.parentElement;
    return at;
  };
  /** Whether the link shares its lines with words that are no links. */
  const isInSentence = (element) => {
    if (!element.matches('a[href]') || !isInline(element)) return false;
    const parent = lineBox(element);
    const walker = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT);
    let count = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const inside = node.parentElement;
      if (inside.closest(interactive) || inside.closest('.hidden, script, style') || lineBox(inside) !== parent) continue;
      count += (node.data.match(/[\\p{L}\\p{N}]+/gu) ?? []).length;
    }
    return count >= 2;
  };
  const found = [];
  for (const element of document.querySelectorAll(interactive)) {
    if (!isShown(element) || isInSentence(element)) continue;
    const label = element.closest('label');
    const wanted = (hit) => hit !== null && (element.contains(hit) || (label !== null && label.contains(hit)));
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getClientRects()[0];
    if (box === undefined || box.width === 0) continue;
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    const reach = (dx, dy) => {
      let steps = 0;
      while (steps < 48 && wanted(document.elementFromPoint(x + dx * (steps + 1), y + dy * (steps + 1)))) steps += 1;
      return steps;
    };
    const own = wanted(document.elementFromPoint(x, y)) ? 1 : 0;
    found.push({
      text: (element.textContent || element.ariaLabel || element.name || '').trim().slice(0, 40),
      height: own && own + reach(0, 1) + reach(0, -1),
      width: own && own + reach(1, 0) + reach(-1, 0),
      html: (element.parentElement.outerHTML).slice(0, 160),
    });
  }
  return found;
})()`;

/** Measures every target of a page that is shown. Those within sentences are left out. */
export const targetsOf = async (page: Page): Promise<Target[]> => (await page.evaluate(measure)) as Target[];

/** The targets that are not as high as `height`, or not as wide as `width`, in CSS pixels. */
export const smallTargets = (targets: readonly Target[], height: number, width = 24): Target[] =>
  targets.filter((target) => target.height < height || target.width < width);
