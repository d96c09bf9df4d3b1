/** Layers of the input: the triangles of a level, their edges, and the outlines of a 2D map. */
import { mapToMesh } from 'navkiln/polygon';
import type { PointLike2d } from 'navkiln/polygon';
import { pointOf } from '../state/map-point.ts';
import { mapOf, originOf, planeOf } from '../state/state.ts';
import type { LevelData, StudioState } from '../state/state.ts';
import type { Drawing } from './drawing.ts';
import { partsFor } from './layers.ts';
import type { LayerKind } from './layers.ts';

export const levelLayer: LayerKind = {
  id: 'level',
  title: 'Level',
  group: 'Level',
  help: 'The triangles of the level.',
  isShown: true,
  needs: ['level', 'shell'],
  draw: ({ level, shell }, palette) =>
    level === undefined
      ? []
      : [
          {
            kind: 'triangles',
            positions: level.display,
            indices: shell?.solid ?? level.indices,
            color: palette.level,
            isShaded: true,
            side: 'front',
          },
          // Outer walls and roofs that hide rooms are drawn transparent.
          ...(shell === undefined
            ? []
            : [{ ...ghostOf(level, palette.level), indices: shell.outer, side: 'front', isGhost: false } as Drawing]),
          // Ceilings and walls that turn their back to the camera fade, so that it looks into rooms.
          { ...ghostOf(level, palette.level), side: 'back' },
        ],
  replacedBy: 'x-ray',
};

export const outerWallsLayer: LayerKind = {
  id: 'outer-walls',
  title: 'Outer walls and roofs',
  group: 'Level',
  help: 'Shows outer walls and roofs that hide rooms. Otherwise they are transparent.',
  isShown: false,
  needs: ['level', 'shell'],
  draw: ({ level, shell }, palette) =>
    level === undefined || shell === undefined
      ? []
      : [
          {
            kind: 'triangles',
            positions: level.display,
            indices: shell.outer,
            color: palette.level,
            isShaded: true,
            side: 'front',
          },
        ],
  replacedBy: 'x-ray',
};

export const xrayLayer: LayerKind = {
  id: 'x-ray',
  title: 'X-ray',
  group: 'Level',
  help: 'Shows the level transparent, to look through walls and floors.',
  isShown: false,
  needs: ['level'],
  draw: ({ level }, palette) => (level === undefined ? [] : [ghostOf(level, palette.level)]),
};

/** Opacity of triangles that are seen through. */
const GHOST_OPACITY = 0.1;

/** Draws the level transparent. Its triangles are counted where they are solid. */
function ghostOf(level: LevelData, color: string): Drawing {
  const { display: positions, indices } = level;
  return { kind: 'triangles', positions, indices, color, isShaded: true, opacity: GHOST_OPACITY, isGhost: true };
}

export const levelEdgesLayer: LayerKind = {
  id: 'level-edges',
  title: 'Triangle edges',
  group: 'Level',
  help: 'The edges of all triangles of the level.',
  isShown: false,
  needs: ['level'],
  draw({ level }, palette) {
    if (level === undefined) return [];
    const { display, indices } = level;
    const positions = new Float32Array(6 * indices.length);
    for (let i = 0; i < indices.length; i++) {
      const next = i % 3 === 2 ? i - 2 : i + 1;
      positions.set(display.subarray(3 * indices[i], 3 * indices[i] + 3), 6 * i);
      positions.set(display.subarray(3 * indices[next], 3 * indices[next] + 3), 6 * i + 3);
    }
    return [{ kind: 'lines', positions, color: palette.levelEdge, opacity: 0.6 }];
  },
};

export const mapOutlineLayer: LayerKind = {
  id: 'map-outline',
  title: 'Outlines',
  group: 'Map',
  help: 'The outlines of a 2D map. Obstacles are dashed.',
  isShown: true,
  needs: ['map', 'edits', 'settings'],
  partCount: (state) => {
    const { polygons = [], obstacles = [] } = mapOf(state) ?? {};
    return partsFor(polygons.length + obstacles.length);
  },
  draw(state, palette, { start, end }) {
    const map = mapOf(state);
    if (map === undefined) return [];
    const { polygons, obstacles = [] } = map;
    const rings = polygons.slice(start, end).flatMap(({ outline, holes = [] }) => [outline, ...holes]);
    const closed = obstacles.slice(Math.max(0, start - polygons.length), Math.max(0, end - polygons.length));
    return [
      { kind: 'lines', positions: linesOf(state, rings), color: palette.levelEdge, width: 1.5 },
      { kind: 'lines', positions: linesOf(state, closed), color: palette.portal, width: 1.5, isDashed: true },
    ].filter(({ positions }) => positions.length > 0) as ReturnType<LayerKind['draw']>;
  },
};

/** Returns two points for each edge of the rings. */
function linesOf(state: StudioState, rings: readonly (readonly PointLike2d[])[]): Float32Array {
  const [originX, , originZ] = originOf(state);
  const [, , sign] = mapToMesh(planeOf(state), [0, 1]);
  const out = new Float32Array(6 * rings.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const ring of rings) {
    const [firstX, firstY] = pointOf(ring[ring.length - 1] ?? [0, 0]);
    let [x, z] = [firstX - originX, sign * firstY - originZ];
    for (const point of ring) {
      out[at] = x;
      out[at + 2] = z;
      const [nextX, nextY] = pointOf(point);
      x = out[at + 3] = nextX - originX;
      z = out[at + 5] = sign * nextY - originZ;
      at += 6;
    }
  }
  return out;
}
