/** The check of a bake's configuration that the stage functions begin with. Based on: own. */
import { checkFinite, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import type { BakeConfig } from './bake-config.ts';

const MOST_COLUMNS = 2 ** 30;
const MOST_VERTICES = 12;

/** Throws unless `config` is a BakeConfig: its numbers are finite and its grid is not larger than any memory. */
export function checkConfig(caller: string, config: unknown): void {
  const given = config as BakeConfig | undefined;
  if (typeof given?.borderCells !== 'number') refuseType(caller, 'config', config, 'the BakeConfig of resolveConfig');
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number') checkFinite(caller, `config.${name}`, value);
  }
  for (const name of ['boundsMin', 'boundsMax'] as const) {
    if (!(Array.isArray(given[name]) || ArrayBuffer.isView(given[name])))
      refuseType(caller, `config.${name}`, given[name], '[x, y, z]');
  }
  const { widthCells, depthCells, maxVerticesPerPoly } = given;
  for (const [name, value] of Object.entries({ widthCells, depthCells })) {
    if (!(Number.isInteger(value) && value >= 0 && value * Math.max(widthCells, depthCells) <= MOST_COLUMNS))
      refuse(caller, `config.${name}`, value, `a whole number, and columns at most ${MOST_COLUMNS}`);
  }
  if (!(maxVerticesPerPoly >= 3 && maxVerticesPerPoly <= MOST_VERTICES))
    refuse(caller, 'config.maxVerticesPerPoly', maxVerticesPerPoly, `3 .. ${MOST_VERTICES}`);
}

/** Throws a TypeError unless `problems` is a record that can count under `field`. */
export function checkCount(caller: string, field: string, problems: unknown): void {
  checkObject(caller, 'problems', problems);
  if (Object.isFrozen(problems)) refuseType(caller, 'problems', problems, 'an object that is not frozen');
  checkFinite(caller, `problems.${field}`, (problems as Record<string, unknown>)[field]);
}
