/**
 * Answers questions in the worker: what a stage of the bake looks like, and why a position is not walkable.
 * Stage records are kept until the level, its settings or its shapes change.
 */
import { optionsFromSettings, prepareTiles } from 'navkiln/build';
import type { PreparedTiles } from 'navkiln/build';
import { explainAgentLimits, explainMapPosition, explainPosition, recordStages, stageDrawings } from 'navkiln/debug';
import type { StageRecords } from 'navkiln/debug';
import { buildFromPolygons, cutByDiagonals, findClosedPassages, meshToMap } from 'navkiln/polygon';
import type { PolygonMap, PolygonMesh } from 'navkiln/polygon';
import { withParts } from '../state/parts.ts';
import { hasTile } from '../state/state.ts';
import type { Bounds, Vec3 } from '../state/state.ts';
import { hold } from './context.ts';
import type { HeldLevel, TaskContext } from './context.ts';
import { bakeEdited } from './edit-bake.ts';
import type { Answer, Question, Subject, Task } from './protocol.ts';

interface KeptLevel {
  key: string;
  prepared: PreparedTiles;
  tile: string;
  records: StageRecords | undefined;
}

/** Records of one level, and of one of its tiles. */
let kept: KeptLevel | undefined;
let keptMap: { map: PolygonMap; key: string; build: PolygonMesh } | undefined;

/** The largest tile whose stages are recorded, in columns of voxels. Larger ones take too much memory. */
const MAX_COLUMNS = 4_000_000;

/** The most boxes of voxels that are drawn. More would take too long to draw; the note of the view reports it. */
const MAX_BOXES = 200_000;

export async function answer(
  { question, subject }: Extract<Task, { type: 'ask' }>,
  context: TaskContext,
): Promise<Answer> {
  return subject.kind === 'map' ? answerMap(question, subject) : answerLevel(question, subject, context);
}

async function answerMap(question: Question, subject: Extract<Subject, { kind: 'map' }>): Promise<Answer> {
  const { map, options, levels } = subject;
  if (levels !== undefined) {
    // The level nearest to the position is a map of its own.
    const height = question.at?.[1] ?? levels.heights[0];
    const distance = (i: number): number => Math.abs(levels.heights[i] - height);
    const index = levels.heights.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
    const { levelsOf, liftAnswer } = await import('./bake-levels.ts');
    const { map: level } = levelsOf(map, levels)[index];
    const answer = await answerMap(question, { ...subject, map: level, levels: undefined });
    return liftAnswer(answer, levels.heights[index]);
  }
  const key = JSON.stringify(options);
  if (keptMap?.map !== map || keptMap.key !== key)
    keptMap = { map, key, build: buildFromPolygons(map, { ...options, cutByDiagonals, findClosedPassages }) };
  const { build } = keptMap;
  if (question.type === 'why') {
    const found = explainMapPosition(map, build, meshToMap(build.navMesh, question.at));
    return { kind: 'why', explanation: { ...found, place: [...question.at], triangle: -1 } };
  }
  const stages = stageDrawings.listMapStages(build.report.config.mode);
  if (question.type === 'limits') throw new Error('Limits of agents are only known for levels.');
  const id = stages.some((stage) => stage.id === question.stage) ? question.stage : stages[0].id;
  return { kind: 'stage', stages, view: stageDrawings.viewMapStage(build, id), box: undefined, tile: undefined };
}

async function answerLevel(
  question: Question,
  subject: Extract<Subject, { kind: 'level' }>,
  context: TaskContext,
): Promise<Answer> {
  const level = hold(subject.level, context);
  if (question.type === 'limits') {
    const options = { ...optionsFromSettings(subject.options), agent: question.agent };
    const triangles = withParts(level, subject.edits.parts);
    return { kind: 'limits', explanation: explainAgentLimits(triangles, options, question.at, question.to) };
  }
  const { prepared, records } = recordsOf(subject, level, question.at);
  if (question.type === 'why') {
    const explanation = explainPosition(records, question.at);
    const { x, z } = records;
    if (explanation.code !== 'walkable' || hasTile(subject.edits.tiles, x, z)) return { kind: 'why', explanation };
    const message = `The position is walkable, but tile ${x}, ${z} was removed.`;
    return {
      kind: 'why',
      explanation: { ...explanation, stage: 'tiles', code: 'tile-removed', message, numbers: { x, z } },
    };
  }
  const stages = stageDrawings.listStages();
  const id = stages.some((stage) => stage.id === question.stage) ? question.stage : stages[0].id;
  const navMesh = ['portals', 'tree', 'links'].includes(id)
    ? (await bakeEdited(level, subject.options, subject.edits, context)).navMesh
    : undefined;
  const view = stageDrawings.viewStage(records, id, { navMesh, center: question.at, limit: MAX_BOXES });
  const tile: [number, number] | undefined = prepared.triangles === undefined ? undefined : [records.x, records.z];
  return { kind: 'stage', stages, view, box: tile === undefined ? undefined : boxOf(records), tile };
}

function recordsOf(
  { options, edits }: Extract<Subject, { kind: 'level' }>,
  level: HeldLevel,
  at: Vec3 | undefined,
): { prepared: PreparedTiles; records: StageRecords } {
  const { links: _links, ...own } = options;
  const key = JSON.stringify([level.id, own, edits.parts]);
  if (kept?.key !== key) {
    kept = {
      key,
      prepared: prepareTiles(withParts(level, edits.parts), optionsFromSettings(options)),
      tile: '',
      records: undefined,
    };
  }
  const { prepared } = kept;
  const { tileCountX, tileCountZ, widthCells, depthCells, tileCells, borderCells } = prepared.config;
  const side = tileCells + 2 * borderCells;
  if ((tileCells > 0 ? side * side : widthCells * depthCells) > MAX_COLUMNS) {
    const size = `${widthCells} x ${depthCells} columns`;
    throw new Error(`The stages of ${size} need too much memory; set a tile size, or use larger cells.`);
  }
  const clamped = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
  const [x, z] = at === undefined ? firstTile(prepared) : stageDrawings.tileOfPlace(prepared, at);
  const [tx, tz] = [clamped(x, tileCountX), clamped(z, tileCountZ)];
  if (kept.tile !== `${tx},${tz}` || kept.records === undefined) {
    kept.tile = `${tx},${tz}`;
    kept.records = recordStages(prepared, tx, tz);
  }
  return { prepared, records: kept.records };
}

/** Returns the tile with the most triangles, which has the most to show. */
function firstTile({ triangles, config: { tileCountX } }: PreparedTiles): [number, number] {
  if (triangles === undefined) return [0, 0];
  let best = 0;
  const count = (tile: number): number => triangles.start[tile + 1] - triangles.start[tile];
  for (let tile = 1; tile < triangles.start.length - 1; tile++) if (count(tile) > count(best)) best = tile;
  return [best % tileCountX, Math.floor(best / tileCountX)];
}

/** Returns the bounds of a tile without its border. */
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
