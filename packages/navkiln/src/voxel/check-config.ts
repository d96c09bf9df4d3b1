/** The check of a bake's configuration that the stage functions begin with. Based on: own. */
import { checkFinite, checkObject, refuseType } from '../data/refuse.ts';
import type { BakeConfig } from './bake-config.ts';

/** Throws a TypeError unless `config` is a BakeConfig. */
export function checkConfig(caller: string, config: unknown): void {
  if (typeof (config as BakeConfig | undefined)?.borderCells !== 'number') {
    refuseType(caller, 'config', config, 'the BakeConfig of resolveConfig');
  }
}

/** Throws a TypeError unless `problems` is a record that can count under `field`. */
export function checkCount(caller: string, field: string, problems: unknown): void {
  checkObject(caller, 'problems', problems);
  if (Object.isFrozen(problems)) refuseType(caller, 'problems', problems, 'an object that is not frozen');
  checkFinite(caller, `problems.${field}`, (problems as Record<string, unknown>)[field]);
}
