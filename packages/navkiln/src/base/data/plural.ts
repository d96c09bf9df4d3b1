/** Writes a count with the words that agree with it. */

/** Returns "1 triangle", "2 triangles": the count and `one` or `many`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns "none of 12 triangles", which a verb in the singular follows; "no triangle" when there is only one. */
export function none(count: number, one: string): string {
  return count === 1 ? `no ${one}` : `none of ${plural(count, one)}`;
}
