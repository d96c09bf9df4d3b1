/** Small levels for tests of verdicts: lists of corners, three per triangle. */

/** A quad that faces up when its corners go from +x to +z, clockwise on a page with z down. */
export function quad(a: readonly number[], b: readonly number[], c: readonly number[], d: readonly number[]): number[] {
  return [...a, ...d, ...c, ...a, ...c, ...b];
}

/** A closed box whose faces look outward. */
export function block([x0, y0, z0]: readonly number[], [x1, y1, z1]: readonly number[]): number[] {
  const corner = (k: number): number[] => [k & 1 ? x1 : x0, k & 2 ? y1 : y0, k & 4 ? z1 : z0];
  const faces = [
    [2, 6, 7, 3],
    [0, 1, 5, 4],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d].flatMap(corner));
}
