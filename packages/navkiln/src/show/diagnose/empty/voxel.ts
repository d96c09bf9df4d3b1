/**
 * Finds out why a voxel bake gave no polygon: the remedies that it tries, and their order.
 *
 * In: the input and options of the bake, its last stage with a result, and a function that bakes for trial.
 * Out: a reason in numbers and a sentence.
 * Cost: up to forty bakes of the level; see trial.ts.
 * Based on: own.
 */
import { agentRemedies, explainEmpty, isTiny, levelRemedies, measureLevels } from './reason.ts';
import type { Remedy, TrialResult } from './reason.ts';
import type { EmptyReason } from '../../../base/data/empty-reason.ts';
import type { BakeConfig } from '../../../build/voxel/bake-config.ts';
import { createVolumes } from '../../../build/voxel/volumes.ts';
import type { BuildOptions, TriangleInput } from '../../../build/voxel/options.ts';

/** Bakes for trial and tells whether there is a polygon; undefined: the bake is too large to try. */
export type BakeTrial = (input: TriangleInput, options: BuildOptions) => TrialResult;

/** Returns why there is no polygon. `stage` is the one that left nothing. */
export function explainStage(
  input: TriangleInput,
  options: BuildOptions,
  config: BakeConfig,
  stage: string,
  bake: BakeTrial,
): { reason: EmptyReason; message: string } {
  const { agent } = config;
  const measures = measureLevels([input], config.maxSlopeDegrees);
  if (measures.triangles === 0) return explainEmpty(measures, agent, [noTriangles()]);
  const { up, down, plusZ, minusZ } = measures.facing;
  const level = levelRemedies(measures, agent, (change) => bake(change(input) as TriangleInput, options));
  const body = agentRemedies(measures, agent, (change) =>
    bake(input, { ...options, agent: { ...options.agent, ...change } }),
  );
  const own = ownRemedies(config, stage, (change) => bake(input, { ...options, ...change }));
  const given = givenRemedies(input, options, stage, bake);
  const facing = down > Math.max(plusZ, minusZ) ? [level.flip, level.turn] : [level.turn, level.flip];
  if (stage === 'slope') return explainEmpty(measures, agent, [...given, ...facing, body.slope, level.scale]);
  const isElsewhere = Math.max(down, plusZ, minusZ) > 10 * up;
  return explainEmpty(measures, agent, [
    ...given,
    ...(isElsewhere ? facing : []),
    ...(isTiny(measures, agent) ? [level.scale] : []),
    ...(options.maxEdgeError === undefined ? [] : [own.outlines]),
    ...(options.regionMinArea === undefined ? [] : [own.pieces]),
    ...(options.cellSize === undefined ? [] : [own.defaultCells]),
    ...(stage === 'filter' ? [body.headroom, body.radius] : [body.radius, body.headroom]),
    own.pieces,
    own.outlines,
    level.scale,
    own.fineCells,
    own.ledges,
    ...(isElsewhere ? [] : facing),
  ]);
}

function noTriangles(): Remedy {
  return {
    cause: 'no-triangles',
    option: 'input.positions',
    isCertain: true,
    works: () => false,
    say: () => 'it has no triangles with finite corners; pass those of the level',
  };
}

/** Returns remedies that undo settings of the caller: areas, bounds and volumes. */
function givenRemedies(input: TriangleInput, options: BuildOptions, stage: string, bake: BakeTrial): Remedy[] {
  const remedies: Remedy[] = [];
  if (input.areas !== undefined) {
    remedies.push({
      cause: 'no-areas',
      option: 'input.areas',
      works: () => bake({ ...input, areas: undefined }, options),
      say: () => 'area ids 0? input.areas marks what could be walked on as never walkable; give it ids from 1 to 63',
    });
  }
  if (options.bounds !== undefined) {
    remedies.push({
      cause: 'outside-bounds',
      option: 'bounds',
      isCertain: stage === 'rasterize',
      works: () => bake(input, { ...options, bounds: undefined }),
      say: () => 'wrong bounds? they leave out what can be walked on; move them or omit them',
    });
  }
  const volumes = options.volumes?.list ?? [];
  if (volumes.some(({ area }) => area === 0)) {
    remedies.push({
      cause: 'cut-by-volumes',
      option: 'volumes',
      isCertain: stage === 'areas',
      works: () => bake(input, { ...options, volumes: createVolumes(volumes.filter(({ area }) => area !== 0)) }),
      say: () => 'volumes too large? volumes of area 0 cut everything away; omit them',
    });
  }
  return remedies;
}

/** Returns remedies in the options of the voxel bake. */
function ownRemedies(
  { agent, cellSize }: BakeConfig,
  stage: string,
  works: (change: BuildOptions) => TrialResult,
): Record<'defaultCells' | 'fineCells' | 'pieces' | 'outlines' | 'ledges', Remedy> {
  const usual = agent.radius > 0 ? agent.radius / 2 : agent.height / 10;
  const cells: Omit<Remedy, 'values'> = {
    cause: 'coarse-cells',
    option: 'cellSize',
    works: (value) => works({ cellSize: value as number, cellHeight: undefined }),
    say: (value) => `cells too coarse? they are ${cellSize} wide; set cellSize to ${String(value)}`,
  };
  return {
    defaultCells: { ...cells, values: usual < cellSize ? [usual] : [] },
    fineCells: { ...cells, values: [cellSize / 2, cellSize / 4] },
    pieces: {
      cause: 'small-pieces',
      option: 'regionMinArea',
      values: [0],
      isCertain: stage === 'regions',
      works: () => works({ regionMinArea: 0 }),
      say: () => 'pieces too small? set regionMinArea to 0',
    },
    outlines: {
      cause: 'coarse-outlines',
      option: 'maxEdgeError',
      values: [1.3 * cellSize, cellSize / 2, 0],
      isCertain: stage === 'contours',
      works: (value) => works({ maxEdgeError: value as number }),
      say: (value) => `outlines too coarse? set maxEdgeError to ${String(value)}`,
    },
    ledges: {
      cause: 'ledges',
      option: 'filterLedges',
      values: [false],
      works: () => works({ filterLedges: false }),
      say: () => 'all ledges? the surface is next to drops of more than maxClimb; set filterLedges to false',
    },
  };
}
