/**
 * Records whose typed arrays refuse writes to indices that they do not have. JavaScript ignores such writes, which hides an index that was
 * not checked.
 *
 * Arrays are watched through proxies, which are slow and are not views. Arrays in `plain` are not watched.
 */
type Fields = Record<PropertyKey, unknown>;

/** Returns a view of a record with watched arrays. Writes go to the record. */
export function watched<T extends object>(record: T, plain: readonly string[] = []): T {
  const known = new Map<object, object>();
  return new Proxy(record, {
    get(target, name) {
      const value = (target as Fields)[name];
      if (!ArrayBuffer.isView(value) || plain.includes(String(name))) return value;
      let proxy = known.get(value);
      if (proxy === undefined) known.set(value, (proxy = watchedArray(value as Float64Array, String(name))));
      return proxy;
    },
  });
}

function watchedArray(array: Float64Array, name: string): Float64Array {
  return new Proxy(array, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set(target, key, value: number) {
      const index = Number(key);
      if (!(Number.isInteger(index) && index >= 0 && index < target.length))
        throw new Error(`a write to ${name}[${String(key)}], of ${target.length}`);
      target[index] = value;
      return true;
    },
  });
}
