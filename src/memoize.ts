/**
 * A pure reading whose answers are kept: names, houses and pages come again and again.
 * @param most so many answers are kept; then all are forgotten, which costs less than to know which was used last
 * @param read what is remembered; it must depend on what is asked alone
 * @param keyOf what tells two questions apart, where they are no texts
 */
export function memoize<Asked extends string, Answer>(
  most: number,
  read: (asked: Asked) => Answer,
): (asked: Asked) => Answer;
export function memoize<Asked, Answer>(
  most: number,
  read: (asked: Asked) => Answer,
  keyOf: (asked: Asked) => string,
): (asked: Asked) => Answer;
export function memoize<Asked, Answer>(
  most: number,
  read: (asked: Asked) => Answer,
  keyOf: (asked: Asked) => string = String,
): (asked: Asked) => Answer {
  const known = new Map<string, Answer>();
  return (asked) => {
    const key = keyOf(asked);
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = read(asked);
    if (known.size >= most) known.clear();
    known.set(key, answer);
    return answer;
  };
}

/** A pure reading of objects, done once for each: what is compared with many is read as often otherwise. */
export function memoizeByObject<Asked extends object, Answer>(
  read: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  const known = new WeakMap<Asked, { answer: Answer }>();
  return (asked) => {
    let found = known.get(asked);
    if (found === undefined) {
      found = { answer: read(asked) };
      known.set(asked, found);
    }
    return found.answer;
  };
}
