/**
 * Creates the option `volumes` of bakes: regions of space that set area ids, cut holes or give names.
 *
 * The option carries functions, as `obstacles` does, so that bundles of a bake without volumes contain none of this code.
 *
 * In: volumes in world units. Out: the option. Cost: linear in the volumes. Based on: own.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import { checkArray, checkName, refuse } from '../../base/data/refuse.ts';
import { ensureGroup } from '../../mesh/named.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { decodeAreas } from './area-codes.ts';
import { FINITE, checkNumber } from './config.ts';
import { markVolume } from './field/areas.ts';
import type { AreaVolume, AreaVolumes } from './options.ts';
import { rebaseVolume } from './rebase.ts';

/**
 * Returns the option `volumes` of bakes and worlds. Keep the records as they are while the option is in use.
 *
 * @throws TypeError, RangeError for shapes, areas and names that are invalid
 */
export function createVolumes(volumes: readonly AreaVolume[]): AreaVolumes {
  return volumesOf('createVolumes', volumes, 'volumes');
}

/** Returns the result of `createVolumes` for a list that stands at `path` in the arguments of `caller`. @internal */
export function volumesOf(caller: string, volumes: readonly AreaVolume[], path: string): AreaVolumes {
  checkArray(caller, path, volumes);
  volumes.forEach((volume, i) => checkVolume(caller, volume, `${path}[${i}]`));
  const list = [...volumes];
  return {
    list,
    mark(field, offset, codes) {
      for (const volume of list) markVolume(field, rebaseVolume(volume, offset), codes);
    },
    addNames: (mesh) => addNames(mesh, list),
    decode: decodeAreas,
  };
}

/** Adds the names of volumes, which may mark no polygon yet. A name is disabled when one of its volumes is. */
function addNames(mesh: NavMesh, volumes: readonly AreaVolume[]): void {
  for (const { name, enabled } of volumes) if (name !== undefined && enabled === false) ensureGroup(mesh, name, false);
  for (const { name } of volumes) if (name !== undefined) ensureGroup(mesh, name);
}

/** Kinds of a volume's fields. */
const LENGTH = 0;
const COORDINATE = 1;
const OUTLINE = 2;
const POINT = 3;

/** The fields that each type of volume has besides `type`, `area`, `name` and `enabled`. */
const VOLUME_FIELDS: Record<string, Record<string, number>> = {
  box: { min: POINT, max: POINT },
  cylinder: { center: POINT, radius: LENGTH, height: LENGTH },
  prism: { outline: OUTLINE, minY: COORDINATE, maxY: COORDINATE },
};

/** Throws unless `volume` is an AreaVolume. @internal */
export function checkVolume(caller: string, volume: AreaVolume, path: string): void {
  const { type, area, name, enabled } = volume ?? {};
  if (typeof type !== 'string' || !Object.hasOwn(VOLUME_FIELDS, type))
    refuse(caller, `${path}.type`, type, "'box', 'cylinder' or 'prism'");
  if (name !== undefined) checkName(caller, `${path}.name`, name);
  if (enabled !== undefined && (typeof enabled !== 'boolean' || name === undefined))
    refuse(caller, `${path}.enabled`, enabled, 'true or false, with a name');
  if (name === undefined || area !== undefined) {
    const least = name === undefined ? 0 : 1;
    checkNumber(caller, `${path}.area`, area, { isWhole: true, least, most: AREA_COUNT - 1 });
  }
  for (const [field, kind] of Object.entries(VOLUME_FIELDS[type])) {
    const at = `${path}.${field}`;
    const value = (volume as Record<string, unknown>)[field];
    if (kind === POINT) checkPoint(caller, at, value, 3);
    else if (kind === OUTLINE) {
      const { length = 0 } = (value ?? []) as unknown[];
      if (length < 3) refuse(caller, `${at}.length`, length, '>= 3');
      for (let k = 0; k < length; k++) checkPoint(caller, `${at}[${k}]`, (value as unknown[])[k], 2);
    } else checkNumber(caller, at, value, kind === COORDINATE ? FINITE : {});
  }
}

function checkPoint(caller: string, path: string, value: unknown, length: number): void {
  const list = value as ArrayLike<unknown> | undefined;
  if (list?.length !== length) return refuse(caller, path, value, `${length} numbers`);
  for (let k = 0; k < length; k++) checkNumber(caller, `${path}[${k}]`, list[k], FINITE);
}
