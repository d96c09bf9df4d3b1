/**
 * Reads the options of `verifyNavMesh`: the agent, the margins, and the distance between lines.
 *
 * In: a mesh and options. Out: numbers in world units. Cost: constant. Based on: own.
 */
import { checkArray, checkFinite, checkKeys, checkNumbers, refuse, refuseType } from '../../base/data/refuse.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';
import type { VerifyMargins, VerifyOptions } from './types.ts';

const CALLER = 'verifyNavMesh';
const AGENT_KEYS = ['radius', 'height', 'maxClimb', 'maxSlopeDegrees'] as const;
const MARGIN_KEYS = ['radius', 'height', 'slopeDegrees'] as const;
const KEYS = [
  'seed',
  'pairs',
  'spacing',
  'maxColumns',
  'maxPlaces',
  'agent',
  'margins',
  'bounds',
  'volumes',
  'keepReachable',
] as const satisfies readonly (keyof VerifyOptions)[];

/** Everything that decides verdicts for one agent, world units. */
export interface Setup {
  agent: AgentShape;
  margins: VerifyMargins;
  /** Cell of the mesh, or of a bake for this agent when the mesh was not made of voxels. */
  cell: number;
  cellHeight: number;
  /** An agent surely stands where obstacles and drops are farther away than this. */
  sureRadius: number;
  /** An agent surely does not stand where one is nearer than this. */
  looseRadius: number;
  /** An agent surely fits under ceilings that are higher than this. */
  sureHeight: number;
  /** Largest step that surely joins two places, and largest that may join them. */
  sureStep: number;
  looseStep: number;
  /** A polygon belongs to a floor within this height. */
  reach: number;
  /** Two polygons that are joined lie within this height of each other. */
  doorStep: number;
}

/** Throws for unknown keys and values out of range. Returns the options that do not depend on the agent. */
export function readOptions(
  options: VerifyOptions,
): Required<Pick<VerifyOptions, 'seed' | 'pairs' | 'maxColumns' | 'maxPlaces'>> {
  checkKeys(CALLER, options, KEYS);
  const { seed = 1, pairs = 300, maxColumns = 4e6, maxPlaces = 100, spacing } = options;
  if (!Number.isSafeInteger(seed)) refuse(CALLER, 'options.seed', seed, 'a whole number');
  const counts = { pairs, maxColumns, maxPlaces };
  for (const [key, value] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value < 0) refuse(CALLER, `options.${key}`, value, 'a whole number >= 0');
  }
  if (maxColumns < 1) refuse(CALLER, 'options.maxColumns', maxColumns, '>= 1');
  if (spacing !== undefined) checkPositive('options.spacing', spacing);
  checkKeys(CALLER, options.agent, AGENT_KEYS, 'options.agent');
  checkKeys(CALLER, options.margins, MARGIN_KEYS, 'options.margins');
  for (const path of ['agent', 'margins'] as const) {
    for (const [key, value] of Object.entries(options[path] ?? {})) {
      if (value === undefined) continue;
      checkFinite(CALLER, `options.${path}.${key}`, value);
      if (value < 0) refuse(CALLER, `options.${path}.${key}`, value, '>= 0');
    }
  }
  const { volumes, keepReachable } = options;
  if (volumes !== undefined && !Array.isArray(volumes?.list))
    refuseType(CALLER, 'options.volumes', volumes, 'the result of createVolumes');
  if (keepReachable !== undefined) checkArray(CALLER, 'options.keepReachable', keepReachable);
  options.keepReachable?.forEach((point, i) => checkNumbers(CALLER, `options.keepReachable[${i}]`, point));
  checkKeys(CALLER, options.bounds, ['min', 'max'], 'options.bounds');
  for (const key of ['min', 'max'] as const) {
    if (options.bounds !== undefined) checkNumbers(CALLER, `options.bounds.${key}`, options.bounds[key]);
  }
  if (options.agent?.height !== undefined) checkPositive('options.agent.height', options.agent.height);
  return { seed, pairs, maxColumns, maxPlaces };
}

function checkPositive(path: string, value: number): void {
  checkFinite(CALLER, path, value);
  if (value <= 0) refuse(CALLER, path, value, '> 0');
}

/** Returns the numbers for an agent of the mesh. `cellFor` gives the cell for meshes that were not made of voxels. */
export function setupFor(
  mesh: NavMesh,
  body: AgentShape,
  options: VerifyOptions,
  cellFor: (agent: AgentShape) => number,
): Setup {
  const agent = { ...pickAgent(body), ...defined(options.agent) };
  const { radius, height, maxClimb } = agent;
  const cell = mesh.cellSize > 0 ? mesh.cellSize : cellFor(agent);
  const cellHeight = mesh.cellHeight > 0 ? mesh.cellHeight : cell / 2;
  const margins: VerifyMargins = { radius: cell, height: cellHeight, slopeDegrees: 1, ...defined(options.margins) };
  const cells = Math.ceil(radius / cell - 1e-6);
  const voxels = mesh.cellHeight > 0 ? Math.ceil(height / cellHeight - 1e-6) * cellHeight : height;
  return {
    agent,
    margins,
    cell,
    cellHeight,
    sureRadius: cells * cell + margins.radius,
    sureHeight: voxels + 2 * margins.height,
    looseRadius: radius - 2 * margins.radius,
    sureStep: Math.max(0, maxClimb - margins.height),
    looseStep: maxClimb + 1.5 * margins.height,
    reach: maxClimb + margins.height,
    doorStep: maxClimb + 2 * margins.height,
  };
}

function pickAgent({ radius, height, maxClimb, maxSlopeDegrees }: AgentShape): AgentShape {
  return { radius, height, maxClimb, maxSlopeDegrees };
}

function defined<T extends object>(values: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
