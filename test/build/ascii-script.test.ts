/** The scripts of the executable are ASCII: V8 keeps others with two bytes per character. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { toAscii } from '../../bin/ascii-script.mjs';

const evaluate = (code: string): string => JSON.stringify(runInNewContext(code));

describe('a script in ASCII', () => {
  const scripts: [what: string, code: string][] = [
    ['a regular expression', "['a–b', 'a-b', 'ab'].map((text) => /a[–—]b/.test(text))"],
    ['one by code points', "['🎧', '🎸', '\\ud83c'].map((text) => /^[🎦-🎨]$/u.test(text))"],
    ['one by code units', "['🎧', '🎸'].map((text) => /🎧/.test(text))"],
    [
      'one with backslashes',
      "['–', '\\u005c–', 'u2013'].map((text) => [/^\\–$/.test(text), /^\\\\–$/.test(text)])",
    ],
    ['one with sets', "['é', 'e', '•'].map((text) => /^[[é•]--[•]]$/v.test(text))"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a script with a template
    ['a raw text', 'const s = 1; `${[String.raw`a–\\s${s}$é`].map((text) => [text.length, text])}`'],
    ['a pattern from raw text', "new RegExp(String.raw`^\\p{L}[–|]$`, 'u').test('é–')"],
    ['ASCII', "/a\\u2013/.test('a–') && 1"],
  ];
  for (const [what, code] of scripts) {
    it(`means the same with ${what}`, () => {
      // esbuild escapes strings before.
      const bundled = code.replace(/'[^']*'/g, (text) =>
        text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      );
      const ascii = toAscii(bundled);
      assert.match(ascii, /^[\0-\x7f]*$/);
      assert.equal(evaluate(ascii), evaluate(code));
    });
  }

  it('is refused where an escape would mean something else', () => {
    assert.throws(() => toAscii('sql`select –`'), /write it as an escape: sql`select –`/);
    assert.throws(() => toAscii('String.raw`a\\–`'), /a raw text has a backslash before –/);
  });
});
