/**
 * Memoizes a pure function.
 * @param maxEntries maximum number of cached results; when it is reached the cache is cleared, which is cheaper than
 * tracking the least recently used entry
 * @param read the function; its result may only depend on its argument
 * @param keyOf returns the cache key of an argument that is not a string
 */
export function memoize<Argument extends string, Result>(
  maxEntries: number,
  read: (argument: Argument) => Result,
): (argument: Argument) => Result;
export function memoize<Argument, Result>(
  maxEntries: number,
  read: (argument: Argument) => Result,
  keyOf: (argument: Argument) => string,
): (argument: Argument) => Result;
export function memoize<Argument, Result>(
  maxEntries: number,
  read: (argument: Argument) => Result,
  keyOf?: (argument: Argument) => string,
): (argument: Argument) => Result {
  const cache = new Map<string, Result>();
  return (argument) => {
    const key = keyOf === undefined ? (argument as string) : keyOf(argument);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = read(argument);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(key, result);
    return result;
  };
}

/** Memoizes a pure function of objects. Results are released with their objects. */
export function memoizeByObject<Argument extends object, Result>(
  read: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const cache = new WeakMap<Argument, { result: Result }>();
  return (argument) => {
    let entry = cache.get(argument);
    if (entry === undefined) {
      entry = { result: read(argument) };
      cache.set(argument, entry);
    }
    return entry.result;
  };
}

/** The entry of a key. A missing entry is created and kept. */
export function getOrCreate<Key, Value>(
  entries: { get(key: Key): Value | undefined; set(key: Key, value: NoInfer<Value>): unknown },
  key: Key,
  create: () => Value,
): Value {
  const value = entries.get(key);
  if (value !== undefined) return value;
  const newValue = create();
  entries.set(key, newValue);
  return newValue;
}
