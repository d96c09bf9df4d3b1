/**
 * Checks a scene file beyond its schema: references to unknown names, contradicting values, settings of the
 * other builder.
 */
import type { Fault } from '../config/issues.ts';
import { whyBodiesDiffer } from '../config/shared-agent.ts';
import { didYouMean } from '../errors.ts';
import type { SceneAgent, SceneFile, SceneLevel, SceneTarget } from './types.ts';

/** Settings of `bake` that only one builder has. */
const VOXEL_ONLY: readonly string[] = [
  'cellSize',
  'cellHeight',
  'partition',
  'maxEdgeLength',
  'maxEdgeError',
  'regionMinArea',
  'regionMergeArea',
  'detailSampleDistance',
  'detailMaxError',
  'filterLowHangingObstacles',
  'filterLedges',
  'filterLowCeilings',
  'medianAreas',
  'tessellateWallEdges',
  'tessellateAreaEdges',
  'recast',
  'volumes',
  'bounds',
  'dynamic',
  'autoLinks',
  'memoryLimitBytes',
];

type Path = readonly (string | number)[];

/** Returns the faults of a scene that has passed the schema. */
export function checkReferences(scene: SceneFile): Fault[] {
  const faults: Fault[] = [];
  const fault = (path: Path, message: string, atKey = false): void => {
    faults.push({ path, message, atKey });
  };
  scene.levels.forEach((level, i) => checkLevel(level, ['levels', i], fault));
  checkSettings(scene, fault);
  const { targets = [], agents = [], agentTypes = [], links = [] } = scene;
  const types = agentTypes.map((type) => type.name);
  agents.forEach(({ type }, i) => {
    if (type !== undefined && !types.includes(type))
      fault(['agents', i, 'type'], `no agent type "${type}"${meant(type, types)}`);
  });
  const [smallest] = [...agentTypes].sort((a, b) => a.radius - b.radius || a.height - b.height);
  agents.forEach(({ type, radius = smallest?.radius, height = smallest?.height }, i) => {
    const isHeld = agentTypes.some((one) => radius! <= one.radius && height! <= one.height);
    if (smallest !== undefined && type === undefined && !isHeld)
      fault(['agents', i], `its radius ${radius} and height ${height} fit into none of agentTypes; give it a type`);
  });
  links.forEach(({ sizes = [] }, i) =>
    sizes.forEach((size, k) => {
      if (!types.includes(size)) fault(['links', i, 'sizes', k], `no agent type "${size}"${meant(size, types)}`);
    }),
  );
  const taken = new Map<string, string>();
  const take = (name: string | undefined, path: Path, what: string): void => {
    if (name === undefined) return;
    const other = taken.get(name);
    if (other !== undefined) fault([...path, 'name'], `"${name}" is also the name of ${other}; names must be unique`);
    else taken.set(name, what);
    if (name === 'random') fault([...path, 'name'], '"random" means any target; choose another name');
  };
  targets.forEach((target, i) => {
    take(target.name, ['targets', i], `targets[${i}]`);
    checkTarget(target, ['targets', i], fault);
  });
  agents.forEach((agent, i) => take(agent.name, ['agents', i], `agents[${i}]`));
  const targetNames = targets.map((target) => target.name);
  agents.forEach((agent, i) => checkAgent(agent, ['agents', i], targetNames, [...taken.keys()], fault));
  return faults;
}

type Say = (path: Path, message: string, atKey?: boolean) => void;

function checkLevel({ file, scene, rotation, scale }: SceneLevel, path: Path, fault: Say): void {
  if (file === undefined && scene === undefined) fault(path, 'must have a file, or the scene of a bundled level');
  if (file !== undefined && scene !== undefined)
    fault([...path, 'scene'], 'and file exclude each other; remove one of them', true);
  const factors = typeof scale === 'number' ? [scale] : (scale ?? []);
  if (factors.some((factor) => factor !== 0 && Math.abs(factor) < 1e-100))
    fault([...path, 'scale'], 'must be larger; it flattens the level');
  if (Array.isArray(rotation) && rotation.length === 4 && rotation.every((value) => Math.abs(value) < 1e-100)) {
    fault([...path, 'rotation'], 'must be a quaternion whose length is not 0, such as [0, 0, 0, 1]');
  }
}

function checkSettings({ build = 'voxel', slope, step, bake = {}, agentTypes }: SceneFile, fault: Say): void {
  if (agentTypes !== undefined) {
    const why = build === 'surface' ? whyBodiesDiffer(agentTypes, false) : '';
    if (why !== '') fault(['agentTypes'], why);
    for (const key of ['radius', 'height'] as const) {
      if (bake.agent?.[key] !== undefined) fault(['bake', 'agent', key], 'agent types have their own; remove it', true);
    }
  }
  const both = [
    ['slope', slope, 'maxSlopeDegrees'],
    ['step', step, 'maxClimb'],
  ] as const;
  for (const [key, value, other] of both) {
    if (value === undefined || bake.agent?.[other] === undefined) continue;
    fault(['bake', 'agent', other], `means the same as ${key} above; remove one of them`, true);
  }
  if (build === 'surface') {
    for (const key of Object.keys(bake)) {
      if (VOXEL_ONLY.includes(key)) fault(['bake', key], 'only applies to build: voxel; remove it', true);
    }
  } else if (bake.surface !== undefined) fault(['bake', 'surface'], 'only applies to build: surface; remove it', true);
}

function checkTarget(
  { position, path: points, speed, loop, startsAt, endsAt }: SceneTarget,
  path: Path,
  fault: Say,
): void {
  if (position === undefined && points === undefined) fault(path, 'must have a position, or a path with a speed');
  if (position !== undefined && points !== undefined)
    fault([...path, 'path'], 'and position exclude each other; remove one of them', true);
  if (points === undefined) {
    for (const [key, value] of Object.entries({ speed, loop, startsAt })) {
      if (value !== undefined) fault([...path, key], 'only applies with a path', true);
    }
  } else if (speed === undefined) fault(path, 'must have a speed for its path');
  if (points?.every((point) => point.every((value, k) => value === points[0][k])) === true) {
    fault([...path, 'path'], 'must have two points that differ');
  }
  if (endsAt !== undefined && startsAt !== undefined && endsAt <= startsAt) {
    fault([...path, 'endsAt'], `must be later than startsAt (got ${endsAt})`);
  }
}

function checkAgent(
  agent: SceneAgent,
  path: Path,
  targets: readonly string[],
  names: readonly string[],
  fault: Say,
): void {
  const { name, count = 1, position, within, goal, follows, distance, walkSpeed, runSpeed } = agent;
  if (position === undefined && within === undefined) fault(path, 'must have a position, or within: a circle or a box');
  if (position !== undefined && within !== undefined)
    fault([...path, 'within'], 'and position exclude each other; remove one of them', true);
  if (count > 1 && within === undefined)
    fault([...path, 'count'], 'only applies with within; several agents cannot share one position', true);
  if (within !== undefined) {
    const { center, radius, min, max } = within;
    const isCircle = center !== undefined && radius !== undefined && min === undefined && max === undefined;
    const isBox = min !== undefined && max !== undefined && center === undefined && radius === undefined;
    if (!isCircle && !isBox) fault([...path, 'within'], 'must be a circle { center, radius } or a box { min, max }');
    else if (isBox && !min.every((value, k) => value <= max[k]))
      fault([...path, 'within', 'max'], 'must not be below min');
  }
  if (goal !== undefined && follows !== undefined)
    fault([...path, 'follows'], 'and goal exclude each other; remove one of them', true);
  if (distance !== undefined && follows === undefined) fault([...path, 'distance'], 'only applies with follows', true);
  if (walkSpeed !== undefined && runSpeed !== undefined && runSpeed < walkSpeed) {
    fault([...path, 'runSpeed'], `must not be less than walkSpeed (got ${runSpeed})`);
  }
  if (typeof goal === 'string') {
    if (goal === 'random') {
      if (targets.length === 0) fault([...path, 'goal'], 'is random, but there are no targets');
    } else if (!targets.includes(goal)) fault([...path, 'goal'], `no target "${goal}"${meant(goal, targets)}`);
  }
  if (follows === undefined) return;
  if (follows === name) fault([...path, 'follows'], 'must not be the agent itself');
  else if (!names.includes(follows))
    fault([...path, 'follows'], `no target or agent "${follows}"${meant(follows, names)}`);
}

function meant(name: string, known: readonly string[]): string {
  const guess = didYouMean(name, known);
  if (guess !== undefined) return `; did you mean "${guess}"?`;
  return known.length === 0 ? '' : `; known: ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}`;
}
