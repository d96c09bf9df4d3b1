/**
 * Draws elements on and above the surface as debug geometry: paths, polygon normals, agents, boxes of the
 * bounding-volume trees.
 *
 * In: a mesh or positions. Out: lines.
 * Cost: linear in the drawn elements.
 * Based on: own; a polygon's normal is the sum over its edges (Martin Newell).
 */
import { checkOptions, checkPoints } from '../check-options.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import { checkKeys, checkNumbers, refuse } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import {
  addBox,
  addLine,
  createLineList,
  finishLines,
  numberColor,
  originOf,
  originOfMesh,
  rgba,
  slotsToDraw,
} from './geometry.ts';
import type { DebugGeometry, DebugGeometryOptions, Rgba } from './geometry.ts';
import { PATH_COLOR } from '../palette.ts';

const NORMAL: Rgba = rgba('#0072b2');
const LEAF: Rgba = rgba('#009e73', 220);
const AGENT: Rgba = rgba('#f0e442');
/** Sides of the circles around agents. */
const SIDES = 16;

/** Options of `pathLines`. */
export interface PathLineOptions {
  /** Height above the points, world units. Default 0.1. */
  lift?: number;
  /** Color 0xrrggbbaa. Default: vermilion. */
  color?: Rgba;
}

const PATH_KEYS: readonly (keyof PathLineOptions)[] = ['lift', 'color'];
const NORMAL_KEYS: readonly (keyof NormalOptions)[] = ['length', 'filter', 'lift', 'slots'];
const AGENT_KEYS: readonly (keyof AgentLinesOptions)[] = ['radius', 'height', 'headings', 'color'];
const TREE_KEYS: readonly (keyof TreeOptions)[] = ['depth', 'slots'];

/**
 * Draws a path (`path.points`) as a line.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function pathLines(points: ArrayLike<ArrayLike<number>>, options: PathLineOptions = {}): DebugGeometry {
  checkPoints('pathLines', 'points', points, 3);
  checkKeys('pathLines', options, PATH_KEYS);
  checkOptions('pathLines', options);
  const { lift = 0.1, color = rgba(PATH_COLOR) } = options;
  const list = createLineList(points.length > 0 ? originOf(points[0], points[points.length - 1]) : [0, 0, 0]);
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1];
    const b = points[i];
    addLine(list, [a[0], a[1], a[2], b[0], b[1], b[2]], color, -1, lift);
  }
  return finishLines(list, false);
}

/** Options of `polyNormals`. */
export interface NormalOptions extends DebugGeometryOptions {
  /** Length in world units. Default: a third of the agent's height. */
  length?: number;
  /** Polygons to draw, by dense index. Default: all. */
  filter?: (poly: number) => boolean;
}

/**
 * Draws the normal of each polygon at its center.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function polyNormals(mesh: NavMesh, options: NormalOptions = {}): DebugGeometry {
  checkNavMesh('polyNormals', mesh);
  checkKeys('polyNormals', options, NORMAL_KEYS);
  checkOptions('polyNormals', options);
  const { length = mesh.agent.height / 3, lift = 0, filter } = options;
  const { vertices: v, edgeVertex } = mesh;
  const list = createLineList(originOfMesh(mesh));
  for (const slot of slotsToDraw(mesh, options)) {
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      if (filter?.(poly) === false) continue;
      const first = mesh.polyEdgeStart[poly];
      const corners = mesh.polyVertexCount[poly];
      const middle = [0, 0, 0];
      const normal = [0, 0, 0];
      const zero = 3 * edgeVertex[first];
      for (let k = 0; k < corners; k++) {
        const a = 3 * edgeVertex[first + k];
        const b = 3 * edgeVertex[first + ((k + 1) % corners)];
        for (let axis = 0; axis < 3; axis++) {
          const i = (axis + 1) % 3;
          const j = (axis + 2) % 3;
          middle[axis] += v[a + axis] / corners;
          // Coordinates are relative to the first corner, which keeps the precision far from the origin.
          normal[axis] +=
            (v[a + i] - v[zero + i]) * (v[b + j] - v[zero + j]) - (v[a + j] - v[zero + j]) * (v[b + i] - v[zero + i]);
        }
      }
      const size = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      if (size === 0) continue;
      const [x, y, z] = middle;
      const share = length / size;
      const ends = [x, y, z, x + share * normal[0], y + share * normal[1], z + share * normal[2]];
      addLine(list, ends, NORMAL, poly, lift);
    }
  }
  return finishLines(list, true);
}

/** Options of `agentLines`. */
export interface AgentLinesOptions {
  /** Radius of all agents, world units. Default 0.4. */
  radius?: number;
  /** Height of all agents, world units. Default 1.8. */
  height?: number;
  /** x, z of a unit vector per agent. Absent: no heading lines. */
  headings?: ArrayLike<number>;
  /** Color 0xrrggbbaa of all agents or per agent. Default: yellow. */
  color?: Rgba | ((agent: number) => Rgba);
}

/**
 * Draws agents as upright cylinders: two circles and four lines each.
 *
 * @param positions x, y, z of each agent's feet, world units
 * @throws RangeError, TypeError for unknown options and for a number of values that is not a multiple of 3
 */
export function agentLines(positions: ArrayLike<number>, options: AgentLinesOptions = {}): DebugGeometry {
  checkNumbers('agentLines', 'positions', positions);
  checkKeys('agentLines', options, AGENT_KEYS);
  checkOptions('agentLines', options);
  const { radius = 0.4, height = 1.8, headings, color = AGENT } = options;
  const count = positions.length / 3;
  if (!Number.isInteger(count)) refuse('agentLines', 'positions.length', positions.length, 'a multiple of 3');
  if (headings !== undefined && headings.length < count)
    refuse('agentLines', 'options.headings.length', headings.length, `${count}, one per agent`);
  const first = [positions[0], positions[1], positions[2]];
  const list = createLineList(count > 0 ? originOf(first, first) : [0, 0, 0]);
  const circle = Array.from({ length: SIDES + 1 }, (_, i) => [
    radius * cosDegrees((360 / SIDES) * i),
    radius * sinDegrees((360 / SIDES) * i),
  ]);
  for (let agent = 0; agent < count; agent++) {
    const own = typeof color === 'function' ? color(agent) : color;
    const x = positions[3 * agent];
    const y = positions[3 * agent + 1];
    const z = positions[3 * agent + 2];
    for (let i = 0; i < SIDES; i++) {
      const [ax, az] = circle[i];
      const [bx, bz] = circle[i + 1];
      addLine(list, [x + ax, y, z + az, x + bx, y, z + bz], own);
      addLine(list, [x + ax, y + height, z + az, x + bx, y + height, z + bz], own);
      if (i % (SIDES / 4) === 0) addLine(list, [x + ax, y, z + az, x + ax, y + height, z + az], own);
    }
    if (headings === undefined) continue;
    const reach = 1.5 * radius;
    const hx = headings[2 * agent];
    const hz = headings[2 * agent + 1];
    addLine(list, [x, y + height / 2, z, x + reach * hx, y + height / 2, z + reach * hz], own);
  }
  return finishLines(list, false);
}

/** Options of `bvTreeBoxes`. */
export interface TreeOptions extends Pick<DebugGeometryOptions, 'slots'> {
  /**
   * Depth of the nodes to draw; the root of a tile's tree is 0. Default: the leaves, which are the polygons'
   * boxes.
   */
  depth?: number;
}

/**
 * Draws boxes of the tiles' bounding-volume trees: leaves green, inner nodes colored by depth.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function bvTreeBoxes(mesh: NavMesh, options: TreeOptions = {}): DebugGeometry {
  checkNavMesh('bvTreeBoxes', mesh);
  checkKeys('bvTreeBoxes', options, TREE_KEYS);
  checkOptions('bvTreeBoxes', options);
  const { bvBounds, bvItem, tileBounds } = mesh;
  const list = createLineList(originOfMesh(mesh));
  for (const slot of slotsToDraw(mesh, options)) {
    const start = mesh.tileNodeStart[slot];
    const end = start + mesh.tileNodeCount[slot];
    const open: number[] = [];
    for (let node = start; node < end; node++) {
      while (open.length > 0 && open[open.length - 1] <= node) open.pop();
      const depth = open.length;
      const isLeaf = bvItem[node] >= 0;
      if (options.depth === undefined ? isLeaf : options.depth === depth) {
        const box = Array.from({ length: 6 }, (_, k) => tileBounds[6 * slot + (k % 3)] + bvBounds[6 * node + k]);
        addBox(list, box, isLeaf ? LEAF : numberColor(depth, 220), isLeaf ? bvItem[node] : -1);
      }
      if (!isLeaf) open.push(node - bvItem[node]);
    }
  }
  return finishLines(list, true);
}
