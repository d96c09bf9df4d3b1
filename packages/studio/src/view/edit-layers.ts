/** The layer of shapes that the user adds to the level. */
import { partTriangles } from '../state/parts.ts';
import { originOf } from '../state/state.ts';
import type { LevelPart, Vec3 } from '../state/state.ts';
import type { LayerKind } from './layers.ts';

export const partsLayer: LayerKind = {
  id: 'parts',
  title: 'Added shapes',
  group: 'Level',
  help: 'Boxes, ramps and stairs added to the level.',
  isShown: true,
  needs: ['edits', 'source'],
  draw(state, palette) {
    const { parts = [] } = state.edits;
    const origin = originOf(state);
    return parts.map((part) => ({
      kind: 'triangles',
      color: palette.levelEdge,
      isShaded: true,
      positions: partPositions(part, origin),
    }));
  },
};

/** Returns the triangles of a shape in drawn coordinates, three points each. */
export function partPositions(part: LevelPart, origin: Vec3): Float32Array {
  return Float32Array.from(partTriangles(part), (value, i) => value - origin[(i % 3) as 0]);
}
