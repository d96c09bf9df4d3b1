/** The option `keepReachable`, as bakes and worlds take it. Bundles without it contain none of its code. */
import { refuseType } from '../base/data/refuse.ts';
import type { NavMesh } from './types.ts';

/** A note about mesh that was left out, or a warning about points that are off the mesh. */
export interface ReachWarning {
  code: 'unreachable-left-out' | 'points-off-mesh';
  stage: 'reach';
  /** Polygons that are left out, or points off the mesh. */
  count: number;
  /** Area that is left out, square units seen from above. Only for 'unreachable-left-out'. */
  area?: number;
  message: string;
  /** Empty: the warning is about the whole mesh. */
  where: { level: never; triangle: never; at: never };
}

/** Leaves out mesh that no point leads to: the option `keepReachable`. Made by `createKeepReachable`. */
export interface ReachKeeper {
  /** Gives the polygons that were left out their flags back. */
  readonly restore: (mesh: NavMesh) => void;
  /**
   * Leaves out what no point leads to, unless it is left out already. Adds to the warnings of a report what has changed since the last
   * call for this mesh. With `strict`, points off the mesh throw. @internal
   */
  readonly update: (
    caller: string,
    result: { navMesh: NavMesh; report: { warnings: { push: (...list: ReachWarning[]) => unknown } } },
    options: { strict?: boolean },
  ) => void;
}

/** Throws a TypeError unless `createKeepReachable` made the option, or it is absent. */
export function checkReachKeeper(caller: string, keeper: ReachKeeper | undefined): void {
  if (keeper !== undefined && typeof keeper?.update !== 'function')
    refuseType(caller, 'options.keepReachable', keeper, 'createKeepReachable([[x, y, z]])');
}
