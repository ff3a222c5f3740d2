/** A test of vitest over the server of `vitest.setup.ts`; name it `….test.ts` beside your own. */
import { expect, test } from 'vitest';

test('finds an artist by the beginning of a name', async () => {
  const answer = await fetch(`${process.env.BASE}/api/v1/search?q=ben+klo`, {
    headers: { Authorization: `Bearer ${process.env.KEY}` },
  });
  const { data } = await answer.json();
  expect(data[0].slug).toBe('ben-klock');
});
