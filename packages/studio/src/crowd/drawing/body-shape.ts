/** The shape of a body: a tapered column with a nose that shows where the agent faces. */
import { BufferAttribute, BufferGeometry } from 'three';

/** Height and radius of each ring: feet, shoulders, neck, head, top. */
const RINGS: readonly (readonly [number, number])[] = [
  [0, 0.72],
  [0.62, 1],
  [0.8, 0.42],
  [0.92, 0.5],
  [1, 0.22],
];
const PLAIN_RINGS: readonly (readonly [number, number])[] = [
  [0, 0.7],
  [0.72, 1],
  [1, 0.3],
];

export type Shape = 'full' | 'plain';

/** Creates a body of radius 1 and height 1, standing on the origin and facing +z. */
export function bodyGeometry(shape: Shape): BufferGeometry {
  const { positions, indices } = bodyArrays(shape);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(indices);
  geometry.userData['shape'] = shape;
  return geometry;
}

function bodyArrays(shape: Shape): { positions: number[]; indices: number[] } {
  const rings = shape === 'plain' ? PLAIN_RINGS : RINGS;
  const sides = shape === 'plain' ? 4 : 8;
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [y, r] of rings) {
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * (side + 0.5)) / sides;
      positions.push(r * Math.sin(angle), y, r * Math.cos(angle));
    }
  }
  for (let i = 1; i < rings.length; i++) {
    for (let side = 0; side < sides; side++) {
      const [a, c] = [(i - 1) * sides + side, i * sides + side];
      const [b, d] = [(i - 1) * sides + ((side + 1) % sides), i * sides + ((side + 1) % sides)];
      indices.push(a, b, d, a, d, c);
    }
  }
  const top = (rings.length - 1) * sides;
  for (let side = 2; side < sides; side++) indices.push(top, top + side - 1, top + side);
  // The nose is a wedge from the chest that reaches beyond the radius.
  const nose = positions.length / 3;
  positions.push(0, 0.52, 1.55, 0.5, 0.52, 0.6, -0.5, 0.52, 0.6, 0, 0.66, 0.6, 0, 0.4, 0.6);
  indices.push(nose + 1, nose, nose + 3, nose, nose + 2, nose + 3);
  if (shape === 'full') indices.push(nose + 1, nose + 4, nose, nose + 4, nose + 2, nose);
  return { positions, indices };
}
