/**
 * The behaviors of a crowd by their names, so that a replay makes a crowd with the same ones.
 *
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import {
  detours,
  goalFields,
  lanes,
  links,
  passages,
  repairs,
  sampling,
  shortcuts,
  sleeping,
  spacing,
  throttling,
  traffic,
} from '../crowd/behaviors.ts';
import { createCoreCrowd } from '../crowd/create-core.ts';
import { createCrowd } from '../crowd/create.ts';
import type { CrowdOptions } from '../crowd/state/options.ts';
import type { Behavior, Crowd } from '../crowd/state/types.ts';

/** The behaviors that `createCrowd` gives each crowd. */
function ownBehaviors(): Record<string, Behavior> {
  return { traffic, lanes, passages, links, goalFields, shortcuts, repairs, sleeping, throttling, detours };
}

/** The behaviors that callers add. */
function addedBehaviors(): Record<string, Behavior> {
  return { sampling, spacing };
}

/** Returns the names of the behaviors that a crowd has. */
export function namesOfBehaviors({ behaviors }: Crowd): string[] {
  return Object.entries({ ...ownBehaviors(), ...addedBehaviors() })
    .filter(([, behavior]) =>
      (Object.keys(behavior) as (keyof Behavior)[]).every((field) => behaviors[field] !== undefined),
    )
    .map(([name]) => name);
}

/** Creates a crowd with the behaviors of these names, and those of the options. Names that are unknown are ignored. */
export function createWithBehaviors(navMesh: NavMesh, options: CrowdOptions, names: readonly unknown[]): Crowd {
  const own = ownBehaviors();
  const added = addedBehaviors();
  const isWhole = Object.keys(own).every((name) => names.includes(name));
  const wanted = Object.entries(isWhole ? added : { ...own, ...added }).filter(([name]) => names.includes(name));
  const behaviors = [...wanted.map(([, behavior]) => behavior), ...(options.behaviors ?? [])];
  return (isWhole ? createCrowd : createCoreCrowd)(navMesh, { ...options, behaviors });
}
