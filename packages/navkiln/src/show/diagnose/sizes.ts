/** Sizes that findings compare: the box of a level, the unit of an agent, and the smallest island that is no furniture. */
import type { TriangleInput } from '../../build/voxel/options.ts';
import type { AgentShape } from '../../mesh/types.ts';

/** A box in world units; Infinity and -Infinity if it holds nothing. */
export interface LevelBox {
  min: [number, number, number];
  max: [number, number, number];
}

/** Smaller islands are furniture, or the space below it, square units of an agent. */
const LEAST_SQUARE_UNITS = 25;

/** Returns the box of the vertices that triangles use, which is the box of a bake without `bounds`. */
export function boxOfLevel({ positions, indices }: TriangleInput): LevelBox {
  const box: LevelBox = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const { min, max } = box;
  const corners = indices?.length ?? positions.length / 3;
  for (let i = 0; i < corners; i++) {
    const vertex = 3 * (indices === undefined ? i : indices[i]);
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[vertex + axis];
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  return box;
}

/** Returns the radius of an agent, or what stands for it if it is 0. */
export function unitOfAgent({ radius, height }: Pick<AgentShape, 'radius' | 'height'>): number {
  return radius > 0 ? radius : height / 5;
}

/** Returns the area of the smallest island that matters, square units. */
export function leastIslandArea(agent: AgentShape): number {
  const unit = unitOfAgent(agent);
  return LEAST_SQUARE_UNITS * unit * unit;
}
