/**
 * Describes and draws the stages of a voxel bake. Each stage has a title, a sentence, counts, the time, and debug
 * geometry.
 *
 * In: the records of one tile, and the whole mesh for the last stages. Out: one stage at a time, so that only
 * the shown stage costs time.
 * Cost: linear in the drawn elements. Voxels are limited; `note` reports it.
 * Based on: own; the stages are those of Recast's demo (Mikko Mononen).
 */
import { checkOptions } from '../check-options.ts';
import { checkKeys, checkRecord, refuse } from '../../base/data/refuse.ts';
import { LINK_USED } from '../../mesh/types.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import { BORDER_REGION, spanArea } from '../../build/voxel/types.ts';
import { linksLines, navMeshPortals } from '../draw/connections.ts';
import { numberColor, rgba } from '../draw/geometry.ts';
import type { DebugGeometry, Rgba } from '../draw/geometry.ts';
import { levelTriangles } from '../draw/level.ts';
import { bvTreeBoxes } from '../draw/marks.ts';
import { contourLines } from '../draw/stages.ts';
import { grouped } from '../format.ts';
import { areaFill } from '../palette.ts';
import { detailLists, polyMeshLists } from './mesh.ts';
import type { StageRecords } from './records.ts';
import { voxelBoxes, voxelFloors } from './voxels.ts';
import type { VoxelList, VoxelOptions } from './voxels.ts';

/** A stage of a build. */
export interface StageInfo {
  id: string;
  title: string;
  /** Description of the stage and of its picture. */
  text: string;
}

/** A drawn stage. */
export interface StageView extends StageInfo {
  /** Counts by name, in the order to show them. */
  counts: Readonly<Record<string, number>>;
  /** Time of all its steps in milliseconds; -1: not measured. */
  ms: number;
  lists: DebugGeometry[];
  /** A sentence about elements that are not shown, or ''. */
  note: string;
}

/** Options of `viewStage`. */
export interface StageViewOptions {
  /** The whole mesh, for portals, trees and links. Absent: none of these are drawn. */
  navMesh?: NavMesh;
  /** Largest number of boxes or squares to draw. Default 40,000. */
  limit?: number;
  /** World position x, y, z near which voxels are drawn when there are too many. Default: the center of the tile. */
  center?: readonly number[];
}

interface Stage extends StageInfo {
  /** Names of its steps in `StageRecords.stages`. */
  times: readonly string[];
  draw: (records: StageRecords, options: StageViewOptions) => Pick<StageView, 'lists' | 'counts'> & { note?: string };
}

const OPTION_KEYS: readonly (keyof StageViewOptions)[] = ['navMesh', 'limit', 'center'];

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
    text: 'Each triangle is walkable (blue), too steep (orange), or facing down (gray).',
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
    text: 'Voxels that triangles touch are solid. Tops are blue where the triangle is walkable.',
    draw: ({ solid, config }, options) =>
      withVoxels(voxelBoxes(solid, ofArea, voxelOptions(options, config)), {
        columns: solid.width * solid.depth,
        spans: solid.spanCount,
      }),
  },
  {
    id: 'walkable',
    title: 'Walkable voxels',
    times: ['filter'],
    text: 'Curbs become walkable. Ledges and floors under low ceilings (orange) are no longer walkable.',
    draw({ solid, walkable, config }, options) {
      // Filters change only areas, so lost spans are found by their previous area.
      const spans = walkable.spans.slice();
      let count = 0;
      let lost = 0;
      for (let i = 0; i < spans.length; i++) {
        if (spanArea(spans[i]) > 0) count++;
        else if (spanArea(solid.spans[i]) > 0) {
          lost++;
          spans[i] = ((spans[i] & 0x03ffffff) | (LOST_AREA << 26)) >>> 0;
        }
      }
      const color = (area: number): Rgba => (area === LOST_AREA ? LOST : ofArea(area));
      const boxes = voxelBoxes({ ...walkable, spans }, color, voxelOptions(options, config));
      return withVoxels(boxes, { walkable: count, lost });
    },
  },
  {
    id: 'compact',
    title: 'Compact field',
    times: ['compact', 'erode', 'areas'],
    text: 'The open space above walkable voxels, colored by area. Voxels too close to a border are orange.',
    draw({ field, erodedArea, config }, options) {
      let eroded = 0;
      let cut = 0;
      for (let i = 0; i < field.spanCount; i++) {
        if (erodedArea[i] === 0) eroded++;
        else if (field.area[i] === 0) cut++;
      }
      const color = (i: number): Rgba => (erodedArea[i] === 0 ? LOST : ofArea(field.area[i]));
      const counts = { spans: field.spanCount, 'within radius of a border': eroded, 'cut by volumes': cut };
      return withVoxels(voxelFloors(field, color, voxelOptions(options, config)), counts);
    },
  },
  {
    id: 'distance',
    title: 'Distance field',
    times: ['distance'],
    text: 'Distance of each voxel from the border of its area: dark at borders, light in the middle.',
    draw({ field, config }, options) {
      const { distance, maxDistance } = field;
      const counts = { 'largest distance in half cells': maxDistance };
      if (distance.length === 0)
        return { lists: [], counts, note: `Partition '${config.partition}' needs no distances.` };
      const color = (i: number): Rgba => gray(Math.round((255 * distance[i]) / Math.max(1, maxDistance)));
      return withVoxels(voxelFloors(field, color, voxelOptions(options, config)), counts);
    },
  },
  {
    id: 'regions',
    title: 'Regions',
    times: ['regions'],
    text: 'Walkable voxels are divided into regions without holes. Voxels without a region are dark: too small or too narrow.',
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
      const counts = { regions: field.regionCount, 'voxels without region': without };
      return withVoxels(voxelFloors(field, color, voxelOptions(options, config)), counts);
    },
  },
  contourStage(true),
  contourStage(false),
  {
    id: 'polygons',
    title: 'Polygons',
    times: ['polymesh'],
    text: 'Contours are cut into triangles, which are merged into convex polygons.',
    draw: (records) => ({
      lists: polyMeshLists(records),
      counts: { polygons: records.polyMesh.polyCount, vertices: records.polyMesh.vertexCount },
    }),
  },
  {
    id: 'detail',
    title: 'Detail mesh',
    times: ['detail'],
    text: 'Vertices are added where the surface deviates from the polygons.',
    draw: (records) => ({
      lists: detailLists(records),
      counts: { triangles: records.detail.tris.length / 4, 'extra vertices': records.detail.vertices.length / 3 },
    }),
  },
  {
    id: 'portals',
    title: 'Portals',
    times: [],
    text: 'Edges between tiles that paths can cross.',
    draw: (_, { navMesh }) =>
      ofMesh(navMesh, (mesh) => {
        const list = navMeshPortals(mesh);
        const note = mesh.tileSize > 0 ? '' : 'There is only one tile. A tileSize gives portals.';
        return { lists: [list], counts: { portals: list.positions.length / 24 }, note };
      }),
  },
  {
    id: 'tree',
    title: 'Bounding-volume tree',
    times: [],
    text: 'Boxes that speed up queries: green around polygons, others around a tile and each half of it.',
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
    text: 'Off-mesh links: jumps, ladders, doors.',
    draw: (_, { navMesh }) =>
      ofMesh(navMesh, (mesh) => {
        let links = 0;
        for (let i = 0; i < mesh.linkCount; i++) if ((mesh.linkState[i] & LINK_USED) !== 0) links++;
        return { lists: [linksLines(mesh)], counts: { links }, note: links === 0 ? 'There are no links.' : '' };
      }),
  },
];

/** An area id to mark lost spans, for drawing only. */
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
      : 'The same with as few vertices as maxEdgeError and maxEdgeLength allow.',
    draw({ contours, config }) {
      const list = contourLines(contours, { offset: config.offset, raw });
      return { lists: [list], counts: { contours: contours.count, points: list.positions.length / 6 } };
    },
  };
}

function voxelOptions({ limit, center }: StageViewOptions, { offset }: BakeConfig): VoxelOptions {
  return { limit, center, offset };
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

/** Returns the stages in order. */
export function listStages(): StageInfo[] {
  return STAGES.map(({ id, title, text }) => ({ id, title, text }));
}

/**
 * Draws one stage.
 *
 * @throws RangeError, TypeError for an id that is not in `listStages` and for unknown options
 */
export function viewStage(records: StageRecords, id: string, options: StageViewOptions = {}): StageView {
  checkRecord('viewStage', 'records', records, 'erodedArea', 'the StageRecords of recordStages');
  checkKeys('viewStage', options, OPTION_KEYS);
  checkOptions('viewStage', options);
  const stage = STAGES.find((one) => one.id === id);
  if (stage === undefined) {
    return refuse('viewStage', 'id', id, `one of ${STAGES.map((one) => `'${one.id}'`).join(', ')}`);
  }
  const { title, text, times } = stage;
  const taken = records.stages.filter(({ name }) => times.includes(name));
  const ms = taken.length === 0 ? -1 : taken.reduce((sum, one) => sum + one.ms, 0);
  return { id, title, text, ms, note: '', ...stage.draw(records, options) };
}
