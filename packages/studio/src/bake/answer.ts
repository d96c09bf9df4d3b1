/**
 * Questions to the worker: how a stage of the bake looks, why a place is not walkable. Records are kept until something changes.
 */
import {
  explainMapPosition,
  explainPosition,
  listMapStages,
  listStages,
  recordStages,
  tileOfPlace,
  viewMapStage,
  viewStage,
} from 'navkiln/debug';
import type { StageRecords } from 'navkiln/debug';
import { prepareTiles } from 'navkiln/build';
import type { PreparedTiles } from 'navkiln/build';
import { buildFromPolygons } from 'navkiln/polygon';
import type { PolygonMesh } from 'navkiln/polygon';
import { hasTile } from '../app/state.ts';
import type { Bounds, Vec3 } from '../app/state.ts';
import { bakeEdited } from './edit-bake.ts';
import { withParts } from './parts.ts';
import type { Answer, LevelToBake, Subject, Task } from './protocol.ts';
import type { TaskContext } from './run-task.ts';

interface Kept {
  key: string;
  prepared: PreparedTiles;
  tile: string;
  records: StageRecords | undefined;
}

/** One level at a time, and of it one tile. */
let kept: Kept | undefined;
let keptMap: { key: string; build: PolygonMesh } | undefined;

/** Columns of a tile whose stages a page can hold. */
const MOST_COLUMNS = 4_000_000;

type Hold = (level: LevelToBake, context: TaskContext) => NonNullable<TaskContext['held']>;

export async function answer(
  { question, subject }: Extract<Task, { type: 'ask' }>,
  context: TaskContext,
  hold: Hold,
): Promise<Answer> {
  if (subject.kind === 'map') {
    const key = JSON.stringify([subject.map, subject.options]);
    if (keptMap?.key !== key) keptMap = { key, build: buildFromPolygons(subject.map, subject.options) };
    const { build } = keptMap;
    if (question.type === 'why') {
      const found = explainMapPosition(subject.map, build, [question.at[0], question.at[2]]);
      return { kind: 'why', place: { ...found, place: [...question.at], triangle: -1 } };
    }
    const stages = listMapStages(build.report.config.mode);
    const id = stages.some((one) => one.id === question.stage) ? question.stage : stages[0].id;
    return { kind: 'stage', stages, view: viewMapStage(build, id), box: undefined, tile: undefined };
  }
  const level = hold(subject.level, context);
  const { prepared, records } = recordsOf(subject, level, question.at);
  if (question.type === 'why') {
    const place = explainPosition(records, question.at);
    const { x, z } = records;
    if (place.code !== 'walkable' || hasTile(subject.edits.tiles, x, z)) return { kind: 'why', place };
    const text = `It could be walked, but tile ${x}, ${z} was taken away.`;
    return { kind: 'why', place: { ...place, stage: 'tiles', code: 'tile-removed', text, numbers: { x, z } } };
  }
  const stages = listStages();
  const id = stages.some((one) => one.id === question.stage) ? question.stage : stages[0].id;
  const navMesh = ['portals', 'tree', 'links'].includes(id)
    ? (await bakeEdited(level, subject.options, subject.edits, context)).navMesh
    : undefined;
  const view = viewStage(records, id, { navMesh, center: question.at });
  const tile: [number, number] | undefined = prepared.triangles === undefined ? undefined : [records.x, records.z];
  return { kind: 'stage', stages, view, box: tile === undefined ? undefined : boxOf(records), tile };
}

function recordsOf(
  { options, edits }: Extract<Subject, { kind: 'level' }>,
  level: NonNullable<TaskContext['held']>,
  at: Vec3 | undefined,
): { prepared: PreparedTiles; records: StageRecords } {
  const { links: _links, ...own } = options;
  const key = JSON.stringify([level.id, own, edits.parts]);
  if (kept?.key !== key) {
    kept = { key, prepared: prepareTiles(withParts(level, edits.parts), options), tile: '', records: undefined };
  }
  const { prepared } = kept;
  const { tileCountX, tileCountZ, widthCells, depthCells, tileCells, borderCells } = prepared.config;
  const side = tileCells + 2 * borderCells;
  if ((tileCells > 0 ? side * side : widthCells * depthCells) > MOST_COLUMNS) {
    const size = `${widthCells} x ${depthCells} columns`;
    throw new Error(`The stages of ${size} are too much for a page; set a tileSize, or larger cells.`);
  }
  const clamped = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
  const [x, z] = at === undefined ? firstTile(prepared) : tileOfPlace(prepared, at);
  const [tx, tz] = [clamped(x, tileCountX), clamped(z, tileCountZ)];
  if (kept.tile !== `${tx},${tz}` || kept.records === undefined) {
    kept.tile = `${tx},${tz}`;
    kept.records = recordStages(prepared, tx, tz);
  }
  return { prepared, records: kept.records };
}

/** The tile with the most triangles: where there is something to see. */
function firstTile({ triangles, config: { tileCountX } }: PreparedTiles): [number, number] {
  if (triangles === undefined) return [0, 0];
  let best = 0;
  const count = (place: number): number => triangles.start[place + 1] - triangles.start[place];
  for (let place = 1; place < triangles.start.length - 1; place++) if (count(place) > count(best)) best = place;
  return [best % tileCountX, Math.floor(best / tileCountX)];
}

/** Of a tile without its border. */
function boxOf({ config }: StageRecords): Bounds {
  const { boundsMin, boundsMax, offset, borderCells, cellSize } = config;
  const rim = borderCells * cellSize;
  const at = (bound: readonly number[], sign: number): Vec3 => [
    bound[0] + sign * rim + offset[0],
    bound[1] + offset[1],
    bound[2] + sign * rim + offset[2],
  ];
  return { min: at(boundsMin, 1), max: at(boundsMax, -1) };
}
