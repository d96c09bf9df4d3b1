/** npm cdt2d has no types. */
declare module 'cdt2d' {
  export default function cdt2d(
    points: readonly (readonly number[])[],
    edges: readonly (readonly number[])[],
    options?: { exterior?: boolean },
  ): [number, number, number][];
}
