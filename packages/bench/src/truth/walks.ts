/** Compares the paths on a bake with the walks that a random level has by construction. */
import { findPath } from 'navkiln';
import type { NavMesh } from 'navkiln';
import type { RandomLevel, RandomWalk } from 'navkiln-scenes';

/** A walk with a wrong answer. */
export interface WalkFault {
  walk: RandomWalk;
  /** 'lost': no path; 'invented': a path that cannot be; 'shortcut': a path that is too short. */
  fault: 'lost' | 'invented' | 'shortcut';
  answer: string;
}

/** Returns the walks of a level that the mesh answers wrongly. */
export function findWalkFaults(navMesh: NavMesh, { walks, agent }: Pick<RandomLevel, 'walks' | 'agent'>): WalkFault[] {
  const faults: WalkFault[] = [];
  const { radius, maxClimb } = agent;
  for (const walk of walks) {
    // Ends stay on their storey and on their side of a wall.
    const path = findPath(navMesh, walk.from, walk.to, { halfExtents: [radius, maxClimb, radius] });
    const isComplete = path.status === 'complete';
    const answer = `${path.status}${path.reason === '' ? '' : `, ${path.reason}`}, ${path.length.toFixed(3)} long`;
    if (walk.expect === 'complete' && !isComplete) faults.push({ walk, fault: 'lost', answer });
    else if (walk.expect === 'none' && isComplete) faults.push({ walk, fault: 'invented', answer });
    else if (isComplete && path.length < walk.leastLength) faults.push({ walk, fault: 'shortcut', answer });
  }
  return faults;
}
