/**
 * A pure reading whose answers are kept: names, houses and pages come again and again.
 * @param most so many answers are kept; then all are forgotten, which costs less than to know which was used last
 * @param read what is remembered; it must depend on what is asked alone
 * @param keyOf what tells two questions apart, where they are no texts
 */
export function remembered<Asked extends string, Answer>(
  most: number,
  read: (asked: Asked) => Answer,
): (asked: Asked) => Answer;
export function remembered<Asked, Answer>(
  most: number,
  read: (asked: Asked) => Answer,
  keyOf: (asked: Asked) => string,
): (asked: Asked) => Answer;
export function remembered<Asked, Answer>(
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
