/**
 * The stages of a voxel bake as pictures: for each a title, a sentence, counts, the time it took, and draw lists.
 *
 * in: the records of one tile (stage-records.ts), the whole mesh for the last stages. out: one stage at a time, so that who
 * steps through them pays for what is seen. Cost: linear in what is drawn; voxels are capped, which `note` then says.
 *
 * Based on: own; the choice of stages is that of Recast's demo (Mikko Mononen).
 */
import { refuse } from '../../data/refuse.ts';
import { LINK_USED } from '../../navmesh/types.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { BORDER_REGION, spanArea } from '../../voxel/types.ts';
import { linksLines, navMeshPortals } from '../draw/connections.ts';
import { numberColor, rgba } from '../draw/list.ts';
import type { DebugGeometry, Rgba } from '../draw/list.ts';
import { levelTriangles } from '../draw/level.ts';
import { bvTreeBoxes } from '../draw/marks.ts';
import { contourLines } from '../draw/stages.ts';
import { areaFill } from '../palette.ts';
import { detailLists, polyMeshLists } from './mesh.ts';
import type { StageRecords } from './records.ts';
import { voxelBoxes, voxelFloors } from './voxels.ts';
import type { VoxelList } from './voxels.ts';

export interface StageInfo {
  id: string;
  title: string;
  /** One sentence: what happened, and what is seen. */
  text: string;
}

export interface StageView extends StageInfo {
  /** By name, in the order to show them. */
  counts: Readonly<Record<string, number>>;
  /** Of all stages of the bake behind it; -1: not measured. */
  ms: number;
  lists: DebugGeometry[];
  /** What is not shown, or why there is nothing: a sentence, or ''. */
  note: string;
}

export interface StageViewOptions {
  /** Whole mesh, for portals, tree and links. */
  navMesh?: NavMesh;
  /** Pieces of voxels to draw at most. Default 40,000. */
  limit?: number;
  /** World x, y, z: what is nearest to it is drawn when not all can be. Default: the middle of the tile. */
  center?: readonly number[];
}

interface Stage extends StageInfo {
  /** Names in `StageRecords.stages` whose times it shows. */
  times: readonly string[];
  draw: (records: StageRecords, options: StageViewOptions) => Pick<StageView, 'lists' | 'counts'> & { note?: string };
}

const BLOCKED: Rgba = rgba('#8b8f92');
const LOST: Rgba = rgba('#d55e00');
const NO_REGION: Rgba = rgba('#5b6166');
const BORDER: Rgba = rgba('#a9adb0');

const ofArea = (area: number): Rgba => (area > 0 ? rgba(areaFill(area)) : BLOCKED);

const STAGES: readonly Stage[] = [
  {
    id: 'triangles',
    title: 'Triangles and slope',
    times: ['slope'],
    text: 'Each triangle is walkable (blue), too steep (orange), or faces down (grey).',
    draw({ triangles: { positions, indices, areas }, config }) {
      const { maxSlopeDegrees, offset } = config;
      const list = levelTriangles({ positions, indices }, { maxSlopeDegrees });
      const walkable = areas.reduce((sum, area) => sum + (area > 0 ? 1 : 0), 0);
      const origin: DebugGeometry['origin'] = [0, 1, 2].map(
        (k) => list.origin[k] + offset[k],
      ) as DebugGeometry['origin'];
      return { lists: [{ ...list, origin }], counts: { triangles: areas.length, walkable } };
    },
  },
  {
    id: 'solid',
    title: 'Solid voxels',
    times: ['rasterize'],
    text: 'Every voxel a triangle touches is solid; tops are blue where their triangle is walkable.',
    draw: ({ solid, config }, options) =>
      withVoxels(voxelBoxes(solid, ofArea, { ...options, offset: config.offset }), {
        columns: solid.width * solid.depth,
        spans: solid.spanCount,
      }),
  },
  {
    id: 'walkable',
    title: 'Walkable voxels',
    times: ['filter'],
    text: 'Kerbs become walkable; ledges and floors under low ceilings (orange) do not stay so.',
    draw({ solid, walkable, config }, options) {
      // The filters change areas alone: spans are told apart by what they were.
      const spans = walkable.spans.slice();
      let count = 0,
        lost = 0;
      for (let i = 0; i < spans.length; i++) {
        if (spanArea(spans[i]) > 0) count++;
        else if (spanArea(solid.spans[i]) > 0) {
          lost++;
          spans[i] = ((spans[i] & 0x03ffffff) | (LOST_AREA << 26)) >>> 0;
        }
      }
      const color = (area: number): Rgba => (area === LOST_AREA ? LOST : ofArea(area));
      const boxes = voxelBoxes({ ...walkable, spans }, color, { ...options, offset: config.offset });
      return withVoxels(boxes, { walkable: count, lost });
    },
  },
  {
    id: 'compact',
    title: 'Compact field',
    times: ['compact', 'erode', 'areas'],
    text: 'The open space over each walkable voxel, coloured by area; what is too near to its border is orange.',
    draw({ field, erodedArea, config }, options) {
      let eroded = 0,
        cut = 0;
      for (let i = 0; i < field.spanCount; i++) {
        if (erodedArea[i] === 0) eroded++;
        else if (field.area[i] === 0) cut++;
      }
      const color = (i: number): Rgba => (erodedArea[i] === 0 ? LOST : ofArea(field.area[i]));
      const counts = { spans: field.spanCount, 'within radius of a border': eroded, 'cut by volumes': cut };
      return withVoxels(voxelFloors(field, color, { ...options, offset: config.offset }), counts);
    },
  },
  {
    id: 'distance',
    title: 'Distance field',
    times: ['distance'],
    text: 'How far each voxel is from the border of its area: dark at borders, light in the middle.',
    draw({ field, config }, options) {
      const { distance, maxDistance } = field;
      const counts = { 'largest distance in half cells': maxDistance };
      if (distance.length === 0)
        return { lists: [], counts, note: `Partition '${config.partition}' needs no distances.` };
      const color = (i: number): Rgba => gray(Math.round((255 * distance[i]) / Math.max(1, maxDistance)));
      return withVoxels(voxelFloors(field, color, { ...options, offset: config.offset }), counts);
    },
  },
  {
    id: 'regions',
    title: 'Regions',
    times: ['regions'],
    text: 'Ground is cut into regions without holes; what belongs to none, too small or too narrow, is dark.',
    draw({ field, config }, options) {
      let without = 0;
      const color = (i: number): Rgba => {
        const region = field.region[i];
        return region >= BORDER_REGION
          ? BORDER
          : region > 0
            ? numberColor(region)
            : field.area[i] > 0
              ? NO_REGION
              : BLOCKED;
      };
      for (let i = 0; i < field.spanCount; i++) if (field.region[i] === 0 && field.area[i] > 0) without++;
      const counts = { regions: field.regionCount, 'voxels in none': without };
      return withVoxels(voxelFloors(field, color, { ...options, offset: config.offset }), counts);
    },
  },
  contourStage(true),
  contourStage(false),
  {
    id: 'polygons',
    title: 'Polygons',
    times: ['polymesh'],
    text: 'Outlines are cut into triangles and those merged into convex polygons, flat from corner to corner.',
    draw: (records) => ({
      lists: polyMeshLists(records),
      counts: { polygons: records.polyMesh.polyCount, vertices: records.polyMesh.vertexCount },
    }),
  },
  {
    id: 'detail',
    title: 'Detail mesh',
    times: ['detail'],
    text: 'More points are added where the ground strays from the polygons.',
    draw: (records) => ({
      lists: detailLists(records),
      counts: { triangles: records.detail.tris.length / 4, 'extra vertices': records.detail.vertices.length / 3 },
    }),
  },
  {
    id: 'portals',
    title: 'Portals',
    times: [],
    text: 'Openings between tiles, through which paths go from one to the next.',
    draw: (_, { navMesh }) =>
      ofMesh(navMesh, (mesh) => {
        const list = navMeshPortals(mesh);
        const note = mesh.tileSize > 0 ? '' : 'There is one tile: portals come with a tileSize.';
        return { lists: [list], counts: { portals: list.positions.length / 24 }, note };
      }),
  },
  {
    id: 'tree',
    title: 'Bounding-volume tree',
    times: [],
    text: 'Boxes by which places are found: green around each polygon, the others around all and around each half of them.',
    draw: (_, { navMesh }) =>
      ofMesh(navMesh, (mesh) => {
        const lists = [bvTreeBoxes(mesh), bvTreeBoxes(mesh, { depth: 0 }), bvTreeBoxes(mesh, { depth: 1 })];
        return { lists, counts: { leaves: lists[0].positions.length / 72, nodes: mesh.nodeCount } };
      }),
  },
  {
    id: 'links',
    title: 'Links',
    times: [],
    text: 'Ways off the ground that were put in: jumps, ladders, doors.',
    draw: (_, { navMesh }) =>
      ofMesh(navMesh, (mesh) => {
        let links = 0;
        for (let i = 0; i < mesh.linkCount; i++) if ((mesh.linkState[i] & LINK_USED) !== 0) links++;
        return { lists: [linksLines(mesh)], counts: { links }, note: links === 0 ? 'There are none.' : '' };
      }),
  },
];

/** An area that no triangle has: ids end at 63, and this one is drawn only. */
const LOST_AREA = 62;

function gray(light: number): Rgba {
  return ((light << 24) | (light << 16) | (light << 8) | 255) >>> 0;
}

function contourStage(raw: boolean): Stage {
  return {
    id: raw ? 'raw-contours' : 'contours',
    title: raw ? 'Raw contours' : 'Simplified contours',
    times: ['contours'],
    text: raw
      ? 'The outline of each region, voxel by voxel.'
      : 'The same with as few corners as maxEdgeError and maxEdgeLength allow.',
    draw({ contours, config }) {
      const list = contourLines(contours, { offset: config.offset, raw });
      return { lists: [list], counts: { contours: contours.count, points: list.positions.length / 6 } };
    },
  };
}

function withVoxels(
  { list, shownCount, totalCount }: VoxelList,
  counts: StageView['counts'],
): Pick<StageView, 'lists' | 'counts' | 'note'> {
  const note =
    shownCount < totalCount ? `Showing the nearest ${grouped(shownCount)} of ${grouped(totalCount)} voxels.` : '';
  return { lists: [list], counts, note };
}

function ofMesh<T>(
  navMesh: NavMesh | undefined,
  draw: (mesh: NavMesh) => T,
): T | { lists: []; counts: {}; note: string } {
  return navMesh === undefined ? { lists: [], counts: {}, note: 'There is no mesh yet.' } : draw(navMesh);
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The stages there are, in their order. */
export function listStages(): StageInfo[] {
  return STAGES.map(({ id, title, text }) => ({ id, title, text }));
}

/** One stage. Throws a RangeError for an id that `listStages` does not have. */
export function viewStage(records: StageRecords, id: string, options: StageViewOptions = {}): StageView {
  const stage = STAGES.find((one) => one.id === id);
  if (stage === undefined) return refuse('viewStage', 'id', id, STAGES.map((one) => one.id).join(', '));
  const { title, text, times } = stage;
  const taken = records.stages.filter(({ name }) => times.includes(name));
  const ms = taken.length === 0 ? -1 : taken.reduce((sum, one) => sum + one.ms, 0);
  return { id, title, text, ms, note: '', ...stage.draw(records, options) };
}
