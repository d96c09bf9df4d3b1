/**
 * Completes the options of automatic links, and refuses invalid ones.
 *
 * In: options, the mesh. Out: profiles, the body, the rest of the options.
 * Cost: constant.
 * Based on: own. Reach and rise of jumps follow from speeds as for a projectile without drag.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import { checkArray, checkKeys, checkName, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import type { AutoLinkKind } from '../../mesh/auto-linker.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { KINDS } from './types.ts';
import type { AutoLinkOptions, Body, LimitsByKind, LinkMarks, Profile } from './types.ts';

const MARK_KEYS = ['area', 'flags', 'name'];
const KIND_KEYS: Record<AutoLinkKind, readonly string[]> = {
  jump: ['maxDistance', 'maxRise', 'maxDrop', 'peak', 'jumpSpeed', 'runSpeed', 'gravity'],
  drop: ['maxHeight', 'maxDistance'],
  climb: ['maxHeight', 'maxDistance'],
  vault: ['maxHeight', 'maxDistance'],
};
const OPTION_KEYS = [...KINDS, 'sizes', 'gravity', 'walkSpeed', 'minDetour', 'spacing', 'except'];

/** Options with all defaults filled in. */
export interface LinkSearch {
  profiles: Profile[];
  body: Body;
  /** `maxClimb` of the agent. */
  climb: number;
  /** Distance between lanes, and the unit of the grid for ids, world units. */
  cell: number;
  /** Distance from the border at which agents take off and land. */
  inset: number;
  /** Distance from an end of a jump or vault within which feet may step over obstacles lower than `maxClimb`. */
  margin: number;
  /** The same distance for drops and climbs. It is longer, until the body is past the ledge. */
  ledgeMargin: number;
  gravity: number;
  walkSpeed: number;
  minDetour: number;
  spacing: number;
  except: ReadonlySet<number>;
}

/** Properties of a mesh that defaults depend on. */
export type MeshScale = Pick<NavMesh, 'agent' | 'cellSize' | 'cellHeight'>;

/** Placeholder to check options before a mesh exists. */
export const ANY_MESH: MeshScale = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
  cellSize: 0.2,
  cellHeight: 0.1,
};

/**
 * Reads the options, for the agent size `size` if it is given. Messages begin with `caller`. A search without profiles finds nothing.
 */
export function readLinkOptions(caller: string, mesh: MeshScale, options: AutoLinkOptions, size?: string): LinkSearch {
  checkObject(caller, 'options', options);
  checkKeys(caller, options, OPTION_KEYS);
  let limits: LimitsByKind = options;
  let place = 'options';
  if (options.sizes !== undefined) {
    checkObject(caller, 'options.sizes', options.sizes);
    if (size !== undefined && Object.hasOwn(options.sizes, size)) {
      limits = options.sizes[size];
      place = `options.sizes.${size}`;
      checkObject(caller, place, limits);
      checkKeys(caller, limits, KINDS, place);
    }
  }
  const body = bodyOf(mesh);
  const cell = mesh.cellSize > 0 ? mesh.cellSize : body.radius > 0 ? body.radius / 2 : body.height / 10;
  const gravity = readNumber(caller, 'options.gravity', options.gravity, 9.81, true);
  const around = 2.4 * body.radius + 4 * cell;
  const profiles = KINDS.filter((kind) => limits[kind] !== undefined).map((kind) => {
    const given = limits[kind] as Record<string, unknown>;
    const path = `${place}.${kind}`;
    checkObject(caller, path, given);
    checkKeys(caller, given, [...KIND_KEYS[kind], ...MARK_KEYS], path);
    const read = (key: string, fallback: number, isAbove: boolean): number =>
      readNumber(caller, `${path}.${key}`, given[key], fallback, isAbove);
    const marks = readMarks(caller, path, given as LinkMarks);
    const base = { kind, runSpeed: 0, maxLift: Infinity, gravity, marks };
    if (kind === 'jump') return { ...base, ...readJump(caller, path, given, read, gravity, mesh.agent.maxClimb) };
    const maxHeight = read('maxHeight', kind === 'drop' ? 3 : kind === 'climb' ? 1.2 : 1.1, true);
    const maxDistance = read('maxDistance', kind === 'vault' ? around + 0.8 : around, true);
    if (kind === 'vault') {
      return { ...base, maxDistance, maxRise: body.lift, maxDrop: body.lift, peaks: parts(maxHeight, 4) };
    }
    const isDrop = kind === 'drop';
    return { ...base, maxDistance, maxRise: isDrop ? 0 : maxHeight, maxDrop: isDrop ? maxHeight : 0, peaks: [0] };
  });
  if (profiles.length === 0 && options.sizes === undefined) {
    throw new RangeError(`${caller}: options name no kind; must have one of ${KINDS.join(', ')}, such as { jump: {} }`);
  }
  return {
    profiles,
    body,
    climb: mesh.agent.maxClimb,
    cell,
    inset: 0.2 * body.radius,
    margin: 1.2 * body.radius + 2.2 * cell,
    ledgeMargin: 2.2 * (body.radius + cell),
    gravity,
    walkSpeed: readNumber(caller, 'options.walkSpeed', options.walkSpeed, 3.5, true),
    minDetour: readNumber(caller, 'options.minDetour', options.minDetour, 2, false),
    spacing: readNumber(caller, 'options.spacing', options.spacing, Math.max(2 * body.radius, 4 * cell), false),
    except: readIds(caller, options.except),
  };
}

/** Reads the limits of jumps, as lengths or as speeds. Refuses a mixture of both. */
// oxlint-disable-next-line max-params -- the values that the caller has at hand
function readJump(
  caller: string,
  path: string,
  given: Record<string, unknown>,
  read: (key: string, fallback: number, isAbove: boolean) => number,
  gravity: number,
  climb: number,
): Omit<Profile, 'kind' | 'marks'> {
  const maxDrop = read('maxDrop', 1, false);
  if (given.jumpSpeed === undefined && given.runSpeed === undefined) {
    if (given.gravity !== undefined)
      refuse(caller, `${path}.gravity`, given.gravity, 'given with jumpSpeed and runSpeed');
    const peak = read('peak', 0.5, true);
    const maxRise = read('maxRise', climb, false);
    const maxDistance = read('maxDistance', 2.5, true);
    return { maxDistance, maxRise, maxDrop, peaks: arcs(peak), runSpeed: 0, maxLift: Infinity, gravity };
  }
  for (const key of ['maxDistance', 'maxRise', 'peak']) {
    if (given[key] !== undefined) refuse(caller, `${path}.${key}`, given[key], 'absent when speeds are given');
  }
  for (const key of ['jumpSpeed', 'runSpeed']) {
    if (given[key] === undefined) refuse(caller, `${path}.${key}`, given[key], 'given: jumpSpeed needs runSpeed');
  }
  const jumpSpeed = read('jumpSpeed', 0, true);
  const runSpeed = read('runSpeed', 0, true);
  const pull = read('gravity', gravity, true);
  const maxLift = (jumpSpeed * jumpSpeed) / (2 * pull);
  const time = (jumpSpeed + Math.sqrt(jumpSpeed * jumpSpeed + 2 * pull * maxDrop)) / pull;
  // Slightly below the highest point, so that the arc can still pass over the landing.
  const maxRise = 0.95 * maxLift;
  return { maxDistance: runSpeed * time, maxRise, maxDrop, peaks: arcs(maxLift), runSpeed, maxLift, gravity: pull };
}

function arcs(peak: number): number[] {
  return [peak / 4, peak / 2, peak];
}

function parts(length: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (length * (i + 1)) / count);
}

function bodyOf(mesh: MeshScale): Body {
  const { radius, height, maxClimb } = mesh.agent;
  const lift = Math.min(maxClimb, height / 2);
  const rounding = Math.min(radius, (height - lift) / 2);
  const step = mesh.cellHeight > 0 ? mesh.cellHeight / 2 : 0.02 * height;
  return { radius, height, lift, slack: Math.min(step, lift), rounding, disc: radius - rounding };
}

/** Reads area, flags and name. @internal */
export function readMarks(caller: string, path: string, { area, flags, name }: LinkMarks): LinkMarks {
  const isWhole = (value: unknown, least: number, most: number): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  if (area !== undefined && !isWhole(area, 1, AREA_COUNT - 1))
    refuse(caller, `${path}.area`, area, `an integer, 1 .. ${AREA_COUNT - 1}`);
  if (flags !== undefined && !isWhole(flags, 0, 0xffff))
    refuse(caller, `${path}.flags`, flags, 'an integer of 16 bits, 0 .. 65535');
  if (name !== undefined) checkName(caller, `${path}.name`, name);
  return {
    ...(area === undefined ? {} : { area }),
    ...(flags === undefined ? {} : { flags }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Reads a finite number above 0, or at least 0. @internal */
// oxlint-disable-next-line max-params -- one line a number
export function readNumber(caller: string, path: string, value: unknown, fallback: number, isAbove: boolean): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number') refuseType(caller, path, value, 'a number');
  if (!(isAbove ? value > 0 : value >= 0) || value === Infinity)
    refuse(caller, path, value, isAbove ? 'a finite number > 0' : 'a finite number >= 0');
  return value;
}

function readIds(caller: string, ids: Iterable<number> | undefined): ReadonlySet<number> {
  if (ids === undefined) return new Set();
  if (typeof ids !== 'object' || ids === null || typeof ids[Symbol.iterator] !== 'function')
    refuseType(caller, 'options.except', ids, 'a list or set of ids');
  if (Array.isArray(ids)) checkArray(caller, 'options.except', ids);
  return new Set(ids);
}
