/** Makes V8 compile a regular expression before the first query needs it. */

/**
 * Compiles a pattern, a part per step: V8 makes byte code on its first run and machine code on its second, and both once
 * more for texts with characters beyond Latin-1.
 */
export function* compilePattern(pattern: RegExp): Generator<void> {
  for (const text of ['on no day', 'at no time', 'в никакой день', 'ни в какое время']) {
    pattern.exec(text);
    yield;
  }
}
