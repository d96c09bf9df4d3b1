/** Agent types on the command line: the flag of `navkiln bake`, the types of a mesh, and lists of them. */
import type { Command } from 'commander';
import { LINK_KINDS, MAX_SIZES, createAgentTypes } from 'navkiln';
import type { AgentType, LinkKind, NavMesh } from 'navkiln';
import type { AgentSize, BuildSettings } from 'navkiln/build';
import { InputError, blameInput, didYouMean, show } from '../errors.ts';
import { formatNumber, plural } from '../output/text.ts';

/** A type in the output of `bake --json` and `inspect --json`. */
export interface TypeSummary {
  name: string;
  radius: number;
  height: number;
  maxClimb: number;
  maxSlopeDegrees: number;
  closedAreas: number[];
  closedLinks: LinkKind[];
  /** Number of polygons on which the type fits, including polygons of closed areas. */
  polygons: number;
}

/** Adds the flag of `readAgentTypes` to a command. */
export function addTypeFlag(command: Command): Command {
  return command.option(
    '--agent-type <type>',
    'an agent type as NAME=RADIUS,HEIGHT[,CLIMB[,SLOPE]], in place of one agent; repeat it for each type',
    (type: string, types: string[] = []) => [...types, type],
  );
}

/** Throws an InputError for agent options that cannot be combined with types, since types set them. */
export function refuseOwnBody({ agent }: BuildSettings): void {
  for (const key of ['radius', 'height'] as const) {
    if (agent?.[key] !== undefined)
      throw new InputError(`--agent-${key}: agent types have their own ${key}; remove it, or agent.${key}`);
  }
}

/** Reads values of `--agent-type`: NAME=RADIUS,HEIGHT[,CLIMB[,SLOPE]]. Returns undefined if there are none. */
export function readAgentTypes(flags: readonly string[] = []): AgentSize[] | undefined {
  if (flags.length === 0) return undefined;
  const types: AgentSize[] = [];
  for (const flag of flags) {
    const [name, values = '', ...rest] = flag.split('=');
    const numbers = values.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
    const [radius, height, maxClimb, maxSlopeDegrees] = numbers;
    const isWhole = name !== '' && rest.length === 0 && numbers.length >= 2 && numbers.length <= 4;
    if (!isWhole || !numbers.every((value) => value >= 0 && value < Infinity))
      throw new InputError(
        `--agent-type: must be NAME=RADIUS,HEIGHT[,CLIMB[,SLOPE]], such as ogre=1.1,3 (got ${show(flag)})`,
      );
    if (height === 0) throw new InputError(`--agent-type ${name}: the height must be > 0`);
    if (maxSlopeDegrees > 90)
      throw new InputError(`--agent-type ${name}: the slope must be at most 90 (got ${maxSlopeDegrees})`);
    if (types.some((type) => type.name === name)) throw new InputError(`--agent-type ${name}: is given twice`);
    types.push({
      name,
      radius,
      height,
      ...(numbers.length > 2 ? { maxClimb } : {}),
      ...(numbers.length > 3 ? { maxSlopeDegrees } : {}),
    });
  }
  if (types.length > MAX_SIZES) throw new InputError(`--agent-type: at most ${MAX_SIZES} (got ${types.length})`);
  return types;
}

/** Returns the types of a mesh. Throws an InputError for damaged rules. */
function typesOf(navMesh: NavMesh): AgentType[] {
  try {
    return createAgentTypes(navMesh);
  } catch (error) {
    throw blameInput(error, 'createAgentTypes');
  }
}

/** Returns a type of a mesh. Throws an InputError for an unknown one. */
export function findType(navMesh: NavMesh, name: string): AgentType {
  const types = typesOf(navMesh);
  const found = types.find((type) => type.name === name);
  if (found !== undefined) return found;
  const names = types.map((type) => type.name);
  const guess = didYouMean(name, names);
  const known =
    names.length === 0
      ? 'the mesh has none; bake it with --agent-type or agentTypes'
      : guess === undefined
        ? `known: ${names.join(', ')}`
        : `did you mean "${guess}"?`;
  throw new InputError(`--type: no agent type ${show(name)}; ${known}`);
}

/** Returns the types of a mesh, with the polygons on which each fits. */
export function summarizeTypes(navMesh: NavMesh): TypeSummary[] {
  const counts = navMesh.sizes.map(() => 0);
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    if (navMesh.tileState[slot] === 0) continue;
    const first = navMesh.tilePolyStart[slot];
    for (let poly = first; poly < first + navMesh.tilePolyCount[slot]; poly++)
      for (let k = 0; k < counts.length; k++) counts[k] += (navMesh.polySizes[poly] >> k) & 1;
  }
  const types = typesOf(navMesh);
  return navMesh.sizes.map(({ name, radius, height, maxClimb, maxSlopeDegrees }, k) => ({
    name,
    radius,
    height,
    maxClimb,
    maxSlopeDegrees,
    closedAreas: [...types[k].filter.areaCosts.keys()].filter((area) => types[k].filter.areaCosts[area] === Infinity),
    closedLinks: LINK_KINDS.filter((_, kind) => ((types[k].filter.closedLinks! >> kind) & 1) === 1),
    polygons: counts[k],
  }));
}

/** Returns a line for each type: its name, its polygons, its body, and the areas that are closed to it. */
export function linesOfTypes(types: readonly TypeSummary[], indent: string): string[] {
  const width = Math.max(...types.map(({ name }) => name.length));
  return types.map(({ name, radius, height, maxClimb, maxSlopeDegrees, closedAreas, closedLinks, polygons }) => {
    const body = [
      `radius ${formatNumber(radius)}`,
      `height ${formatNumber(height)}`,
      `climbs ${formatNumber(maxClimb)}`,
      `slopes to ${formatNumber(maxSlopeDegrees)} degrees`,
    ];
    if (closedAreas.length > 0) body.push(`not in areas ${closedAreas.join(', ')}`);
    if (closedLinks.length > 0) body.push(`not over links: ${closedLinks.join(', ')}`);
    return `${indent}${name.padEnd(width)}  ${plural(polygons, 'polygon')}; ${body.join(', ')}`;
  });
}
