/**
 * Describes and draws the build stages of a 2D map in the plane y = 0: outlines, radius, bridges, cuts,
 * triangles, pieces, portals.
 *
 * In: the result of `buildFromPolygons`. Out: one stage at a time, in the form of `viewStage`.
 * Cost: linear in the drawn elements.
 * Based on: own.
 */
import { checkRecord, refuse } from '../../base/data/refuse.ts';
import type { PolygonMesh } from '../../build/polygon/options.ts';
import type { GridFrame, Rings } from '../../base/plane/types.ts';
import { addLine, createLineList, finishLines, numberColor, originOf, putColor, rgba } from '../draw/geometry.ts';
import type { DebugGeometry, LineList, Rgba } from '../draw/geometry.ts';
import { GROUND_EDGE, areaFill } from '../palette.ts';
import type { StageInfo, StageView } from './views.ts';

/** The result of `buildFromPolygons`, without the mesh. */
export type MapBuild = Omit<PolygonMesh, 'navMesh'>;

/** A map's grid, and the sign of z for its y: 1 or -1. */
interface Plane extends GridFrame {
  zSign: 1 | -1;
}

/** The data from which a stage is drawn. */
type MapDrawing = Omit<MapBuild, 'report'> & { report: Omit<MapBuild['report'], 'frame'> & { frame: Plane } };

/** A stage of one of the two triangulation modes, or of both. */
interface MapStage extends StageInfo {
  times: readonly string[];
  mode?: 'delaunay' | 'diagonal';
  draw: (build: MapDrawing) => Pick<StageView, 'lists' | 'counts'> & { note?: string };
}

const EDGE: Rgba = rgba(GROUND_EDGE);
const PALE: Rgba = rgba('#8b8f92', 160);
const BRIDGE: Rgba = rgba(areaFill(3));
const CUT: Rgba = rgba(areaFill(2));
const GONE: Rgba = rgba(areaFill(2), 70);
const PORTAL: Rgba = rgba('#cc79a7');

const STAGES: readonly MapStage[] = [
  {
    id: 'outline',
    title: 'Outline and holes',
    times: ['input', 'clean'],
    text: 'Rings are cleaned: crossings are resolved, holes and obstacles are cut out.',
    draw({ stages: { clean }, report: { frame } }) {
      return { lists: [ringLines(clean, frame, EDGE)], counts: { rings: clean.ringCount, corners: clean.x.length } };
    },
  },
  {
    id: 'radius',
    title: 'Radius',
    times: ['offset'],
    text: "Outlines are moved inward by the agent's radius.",
    draw({ stages: { clean, ground }, report: { frame } }) {
      const lists = [...(clean === ground ? [] : [ringLines(clean, frame, PALE)]), ringLines(ground, frame, EDGE)];
      const note = clean === ground ? 'The radius is 0: nothing changes.' : '';
      return { lists, counts: { rings: ground.ringCount, corners: ground.x.length }, note };
    },
  },
  {
    id: 'bridges',
    title: 'Bridges',
    times: ['diagonal'],
    mode: 'diagonal',
    text: 'A line connects each hole to the outline around it.',
    draw({ stages: { ground, diagonal }, report: { frame } }) {
      const { lines, bridgeCount } = diagonal!;
      const own = lineList(frame, ground);
      for (let i = 0; i < bridgeCount; i++) addGridLine(own, frame, lines, 4 * i, BRIDGE);
      return { lists: [ringLines(ground, frame, EDGE), finishLines(own, false)], counts: { bridges: bridgeCount } };
    },
  },
  {
    id: 'cuts',
    title: 'Cuts',
    times: ['diagonal'],
    mode: 'diagonal',
    text: 'Cuts at concave corners make all pieces convex; faint lines are removed again.',
    draw({ stages: { ground, diagonal }, report: { frame } }) {
      const { lines, bridgeCount, isGone } = diagonal!;
      const own = lineList(frame, ground);
      let kept = 0;
      for (let i = 0; i < isGone.length; i++) {
        addGridLine(own, frame, lines, 4 * i, isGone[i] === 1 ? GONE : i < bridgeCount ? BRIDGE : CUT);
        kept += 1 - isGone[i];
      }
      const counts = { cuts: isGone.length - bridgeCount, 'lines kept': kept };
      return { lists: [ringLines(ground, frame, EDGE), finishLines(own, false)], counts };
    },
  },
  {
    id: 'triangles',
    title: 'Triangles',
    times: ['triangulate'],
    mode: 'delaunay',
    text: 'Triangles whose edges follow the rings (constrained Delaunay triangulation).',
    draw({ stages: { ground, triangulation, winding }, report: { frame, counts } }) {
      const { edgeCount, origin, xs, ys } = triangulation!;
      const own = lineList(frame, ground);
      for (let h = 0; h < 2 * edgeCount; h += 2) {
        if (!(winding![h] > 0 && winding![h + 1] > 0)) continue;
        const [a, b] = [origin[h], origin[h + 1]];
        addGridLine(own, frame, [xs[a], ys[a], xs[b], ys[b]], 0, CUT);
      }
      return {
        lists: [ringLines(ground, frame, EDGE), finishLines(own, false)],
        counts: { triangles: counts.triangles },
      };
    },
  },
  {
    id: 'merges',
    title: 'Merged pieces',
    times: ['merge', 'tile'],
    text: 'Unnecessary lines are removed: convex pieces remain.',
    draw({ stages: { pieces, ground }, report: { frame } }) {
      const lists = [pieceTriangles({ pieces, frame }), ringLines(ground, frame, EDGE)];
      return { lists, counts: { polygons: pieces.pieceCount } };
    },
  },
  {
    id: 'portals',
    title: 'Portals',
    times: [],
    text: 'Edges that connect neighboring pieces.',
    draw({ stages: { pieces, ground }, report: { frame } }) {
      const { pieceCount, start, corner, neighbor, x, y } = pieces;
      const own = lineList(frame, ground);
      for (let p = 0; p < pieceCount; p++) {
        for (let i = start[p]; i < start[p + 1]; i++) {
          if (neighbor[i] <= p) continue;
          const a = corner[i];
          const b = corner[i + 1 < start[p + 1] ? i + 1 : start[p]];
          addGridLine(own, frame, [x[a], y[a], x[b], y[b]], 0, PORTAL);
        }
      }
      const lists = [pieceTriangles({ pieces, frame }), ringLines(ground, frame, EDGE), finishLines(own, false)];
      return { lists, counts: { portals: own.count } };
    },
  },
];

/** Returns the stages of a triangulation mode in order. */
export function listMapStages(mode: 'delaunay' | 'diagonal' = 'delaunay'): StageInfo[] {
  const own = STAGES.filter((stage) => stage.mode === undefined || stage.mode === mode);
  return own.map(({ id, title, text }) => ({ id, title, text }));
}

/**
 * Draws one stage of a map.
 *
 * @throws RangeError for an id that is not in `listMapStages` of the map's mode
 */
export function viewMapStage(build: MapBuild, id: string): StageView {
  checkRecord(
    'viewMapStage',
    'build.stages.pieces',
    build?.stages?.pieces,
    'corner',
    'those of a result of buildFromPolygons',
  );
  const { mode } = build.report.config;
  const stage = STAGES.find((one) => one.id === id && (one.mode === undefined || one.mode === mode));
  if (stage === undefined) {
    const ids = listMapStages(mode).map((one) => `'${one.id}'`);
    return refuse('viewMapStage', 'id', id, `one of ${ids.join(', ')}`);
  }
  const { title, text, times } = stage;
  const taken = build.report.stages.filter(({ name }) => times.includes(name));
  const ms = taken.length === 0 ? -1 : taken.reduce((sum, one) => sum + one.ms, 0);
  const { report } = build;
  const frame: Plane = { ...report.frame, zSign: report.config.yAxis === 'up' ? -1 : 1 };
  return { id, title, text, ms, note: '', ...stage.draw({ ...build, report: { ...report, frame } }) };
}

/** Converts grid coordinates to x and z of the mesh. */
function toWorld({ gridSize, originX, originY, zSign }: Plane, x: number, y: number): [number, number] {
  return [originX + x * gridSize, zSign * (originY + y * gridSize)];
}

/** Creates an empty list of lines near the rings. */
function lineList(frame: Plane, rings: Rings): LineList {
  return createLineList(middleOf(frame, rings.x, rings.y));
}

function middleOf(frame: Plane, x: ArrayLike<number>, y: ArrayLike<number>): [number, number, number] {
  if (x.length === 0) return [0, 0, 0];
  const [u, v] = toWorld(frame, x[0], y[0]);
  return originOf([u, 0, v], [u, 0, v]);
}

/** Adds a line whose ends (x, y, x, y in grid coordinates) are at an index. */
function addGridLine(list: LineList, frame: Plane, ends: ArrayLike<number>, at: number, color: Rgba): void {
  const [ax, az] = toWorld(frame, ends[at], ends[at + 1]);
  const [bx, bz] = toWorld(frame, ends[at + 2], ends[at + 3]);
  addLine(list, [ax, 0, az, bx, 0, bz], color);
}

function ringLines(rings: Rings, frame: Plane, color: Rgba): DebugGeometry {
  const { ringCount, start, x, y } = rings;
  const list = lineList(frame, rings);
  for (let r = 0; r < ringCount; r++) {
    for (let i = start[r]; i < start[r + 1]; i++) {
      const j = i + 1 < start[r + 1] ? i + 1 : start[r];
      addGridLine(list, frame, [x[i], y[i], x[j], y[j]], 0, color);
    }
  }
  return finishLines(list, false);
}

function pieceTriangles({ pieces, frame }: { pieces: MapBuild['stages']['pieces']; frame: Plane }): DebugGeometry {
  const { pieceCount, start, corner, x, y } = pieces;
  const count = pieceCount > 0 ? start[pieceCount] : 0;
  const origin = middleOf(frame, x, y);
  const positions = new Float32Array(3 * count);
  const colors = new Uint8Array(4 * count);
  const indices: number[] = [];
  const polys: number[] = [];
  for (let p = 0; p < pieceCount; p++) {
    for (let i = start[p]; i < start[p + 1]; i++) {
      const [u, v] = toWorld(frame, x[corner[i]], y[corner[i]]);
      positions[3 * i] = u - origin[0];
      positions[3 * i + 2] = v - origin[2];
      putColor(colors, i, numberColor(p, 150));
      if (i < start[p] + 2) continue;
      // Pieces are counter-clockwise with y up. If z = y, they are clockwise seen from above.
      if (frame.zSign < 0) indices.push(start[p], i - 1, i);
      else indices.push(start[p], i, i - 1);
      polys.push(p);
    }
  }
  return {
    kind: 'triangles',
    positions,
    colors,
    indices: Uint32Array.from(indices),
    polys: Int32Array.from(polys),
    origin,
  };
}
