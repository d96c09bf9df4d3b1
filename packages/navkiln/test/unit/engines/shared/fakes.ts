/**
 * Stand-ins for objects of Babylon.js, PlayCanvas and Phaser: only what the adapters read and call. The engines themselves are
 * tried by `npm run soak -- consumers`, which installs them.
 */

/** A unit square in the plane y = 0, visible from above in each engine's own winding. */
export const SQUARE = [0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0];
const COUNTER_CLOCKWISE = [0, 1, 2, 0, 2, 3];
const CLOCKWISE = [0, 2, 1, 0, 3, 2];

/** Column-order matrix of a scale and a translation. */
export function place([sx, sy, sz]: [number, number, number], [x, y, z]: [number, number, number]): number[] {
  return [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, x, y, z, 1];
}

/** A square of Babylon.js, which winds visible sides clockwise. */
export function babylonSquare(name: string, matrix: number[], more: object = {}, rightHanded = false): never {
  return {
    name,
    isVisible: true,
    isEnabled: () => true,
    getClassName: () => 'Mesh',
    getVerticesData: (kind: string) => (kind === 'position' ? SQUARE : null),
    getIndices: () => CLOCKWISE,
    computeWorldMatrix: () => ({ m: matrix }),
    getScene: () => ({ useRightHandedSystem: rightHanded }),
    ...more,
  } as never;
}

/** An entity of PlayCanvas whose components draw squares. */
export function playCanvasRoot(
  instances: { matrix: number[]; cull?: number; visible?: boolean; name?: string }[],
): never {
  const mesh = {
    primitive: [{ type: 4, base: 0, count: 6, indexed: true }],
    getPositions: (out: number[]) => out.push(...SQUARE) / 3,
    getIndices: (out: number[]) => out.push(...COUNTER_CLOCKWISE),
  };
  const meshInstances = instances.map(({ matrix, cull = 1, visible = true, name = 'node' }) => ({
    visible,
    mesh,
    material: { cull },
    node: { name, enabled: true, getWorldTransform: () => ({ data: matrix }) },
  }));
  return {
    name: 'root',
    enabled: true,
    findComponents: (type: string) =>
      type === 'render' ? [{ enabled: true, entity: { enabled: true }, meshInstances }] : [],
  } as never;
}

/** A tilemap layer of Phaser: '#' collides, 'o' does not, ' ' is empty. */
export function phaserLayer(rows: string[], more: object = {}): never {
  const data = rows.map((row, y) =>
    [...row].map((sign, x) => ({ x, y, index: sign === ' ' ? -1 : 1, collides: sign === '#' })),
  );
  const layer = {
    width: rows[0]!.length,
    height: rows.length,
    tileWidth: 16,
    tileHeight: 16,
    orientation: 0,
    data,
  };
  return { x: 0, y: 0, scaleX: 1, scaleY: 1, layer, ...more } as never;
}
