/** Layers of the input: the triangles of a level, their edges, and the outlines of a 2D map. */
import { mapToMesh } from 'navkiln/polygon';
import type { MapLayer, PointLike2d } from 'navkiln/polygon';
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
  needs: ['level', 'shell', 'layers'],
  draw(state, palette) {
    const { level, shell } = state;
    return level === undefined
      ? []
      : [
          {
            kind: 'triangles',
            positions: level.display,
            indices: shell?.solid ?? level.indices,
            ...lookOf(level, state, palette.level),
            isShaded: true,
            side: 'front',
          },
          // Outer walls and roofs that hide rooms are drawn transparent.
          ...(shell === undefined
            ? []
            : [{ ...ghostOf(level, palette.level), indices: shell.outer, side: 'front', isGhost: false } as Drawing]),
          // Ceilings and walls that turn their back to the camera fade, so that it looks into rooms.
          { ...ghostOf(level, palette.level), side: 'back' },
        ];
  },
  replacedBy: 'x-ray',
};

/** Returns the colors that the level was made with, or that of clay. */
function lookOf({ colors }: LevelData, { layers }: StudioState, clay: string): Partial<Drawing> {
  return colors === undefined || layers[CLAY] === true ? { color: clay } : { colors, isOpaque: true };
}

const CLAY = 'clay';

/** Draws nothing by itself: the layers of the level look whether it is on. */
export const clayLayer: LayerKind = {
  id: CLAY,
  title: 'Clay',
  group: 'Level',
  help: 'Shows the level in one color instead of those that it was made with.',
  isShown: false,
  needs: [],
  draw: () => [],
};

export const outerWallsLayer: LayerKind = {
  id: 'outer-walls',
  title: 'Outer walls and roofs',
  group: 'Level',
  help: 'Shows outer walls and roofs that hide rooms. Otherwise they are transparent.',
  isShown: false,
  needs: ['level', 'shell', 'layers'],
  draw(state, palette) {
    const { level, shell } = state;
    return level === undefined || shell === undefined
      ? []
      : [
          {
            kind: 'triangles',
            positions: level.display,
            indices: shell.outer,
            ...lookOf(level, state, palette.level),
            isShaded: true,
            side: 'front',
          },
        ];
  },
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
  needs: ['map', 'edits', 'settings', 'shell'],
  partCount: (state) => partsFor(listsOf(state).reduce((sum, list) => sum + sizeOf(list), 0)),
  draw(state, palette, { start, end }) {
    const drawings: ReturnType<LayerKind['draw']> = [];
    let [from, to] = [start, end];
    for (const list of listsOf(state)) {
      const { polygons = [], obstacles = [], height } = list;
      const part = <T>(items: readonly T[], before: number): readonly T[] =>
        items.slice(Math.max(0, from - before), Math.max(0, to - before));
      const rings = part(polygons, 0).flatMap(({ outline, holes = [] }) => [outline, ...holes]);
      const closed = part(obstacles, polygons.length);
      drawings.push(
        { kind: 'lines', positions: linesOf(state, rings, height), color: palette.levelEdge, width: 1.5 },
        { kind: 'lines', positions: linesOf(state, closed, height), color: palette.portal, width: 1.5, isDashed: true },
      );
      [from, to] = [from - sizeOf(list), to - sizeOf(list)];
    }
    return drawings.filter(({ positions }) => positions.length > 0);
  },
};

type OutlineList = Pick<MapLayer, 'polygons' | 'obstacles'> & { height: number };

const sizeOf = ({ polygons = [], obstacles = [] }: OutlineList): number => polygons.length + obstacles.length;

/** Returns the outlines of the map and of its layers that are on; of a building, those of the level that is shown, or of all. */
function listsOf(state: StudioState): OutlineList[] {
  const map = mapOf(state);
  if (map === undefined) return [];
  const heights = state.map?.levels?.heights;
  const floor = heights === undefined ? undefined : state.shell?.floor;
  const layers = (map.layers ?? []).map((layer, i) => ({ ...layer, i, height: heights?.[i] ?? 0 }));
  return [{ ...map, height: 0 }, ...layers.filter(({ enabled, i }) => enabled !== false && (floor ?? i) === i)];
}

/** Returns two points for each edge of the rings. */
function linesOf(state: StudioState, rings: readonly (readonly PointLike2d[])[], height: number): Float32Array {
  const [originX, originY, originZ] = originOf(state);
  const [, , sign] = mapToMesh(planeOf(state), [0, 1]);
  const out = new Float32Array(6 * rings.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const ring of rings) {
    const [firstX, firstY] = pointOf(ring[ring.length - 1] ?? [0, 0]);
    let [x, z] = [firstX - originX, sign * firstY - originZ];
    for (const point of ring) {
      out[at] = x;
      out[at + 1] = out[at + 4] = height - originY;
      out[at + 2] = z;
      const [nextX, nextY] = pointOf(point);
      x = out[at + 3] = nextX - originX;
      z = out[at + 5] = sign * nextY - originZ;
      at += 6;
    }
  }
  return out;
}
