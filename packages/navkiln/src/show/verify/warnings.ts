/**
 * Warnings about what `verifyNavMesh` was given: another agent, another level, a level too large for its cells.
 *
 * In: the level, the mesh, the grid. Out: warnings. Cost: constant. Based on: own.
 */
import { plural } from '../../base/data/plural.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Grid } from './shapes/grid.ts';
import type { Setup } from './setup.ts';
import type { Source } from './source.ts';
import type { VerifyFigures, VerifyWarning } from './types.ts';

/** Returns the warnings, in the order of their codes in `VerifyWarningCode`. */
export function listWarnings(
  level: Source,
  mesh: NavMesh,
  grid: Grid,
  setup: Setup,
  figures: VerifyFigures,
): VerifyWarning[] {
  const warnings: VerifyWarning[] = [];
  const bodies = mesh.sizes.length > 0 ? mesh.sizes : [mesh.agent];
  for (const key of ['radius', 'height', 'maxClimb', 'maxSlopeDegrees'] as const) {
    const value = setup.agent[key];
    if (bodies.some((body) => Math.abs(body[key] - value) <= 1e-5 * Math.abs(value))) continue;
    const message = `The mesh was baked for an agent with ${key} ${bodies[0][key]}, and is verified for ${value}.`;
    warnings.push({ code: 'other-agent', count: 1, message });
  }
  const beyond = reachBeyond(level, mesh, setup);
  if (beyond > 0) {
    const message = `The mesh reaches ${Number(beyond.toPrecision(3))} beyond the level: was it baked from another level, or from one placed elsewhere?`;
    warnings.push({ code: 'other-level', count: 1, message });
  }
  if (grid.spacing > setup.cell * 1.001) {
    const message = `Lines are ${Number(grid.spacing.toPrecision(3))} apart, wider than a cell of ${setup.cell}: small faults are missed, and invented connections are not looked for (spacing, maxColumns).`;
    warnings.push({ code: 'coarse-spacing', count: 1, message });
  }
  if (level.invalidCount > 0) {
    const message = `${plural(level.invalidCount, 'triangle has', 'triangles have')} an infinite or NaN corner and count for nothing.`;
    warnings.push({ code: 'invalid-positions', count: level.invalidCount, message });
  }
  if (figures.insideSolids > 0) {
    const area = Number((figures.insideSolids * figures.meshArea).toPrecision(3));
    const message = `${area} square units of the mesh lie inside closed solids; keepReachable leaves out what nothing leads to.`;
    warnings.push({ code: 'inside-solids', count: 1, message });
  }
  if (figures.sureArea === 0) {
    const message = `No place was found where an agent surely stands, with lines ${Number(grid.spacing.toPrecision(3))} apart: coverage and connections say nothing (spacing, maxColumns, a smaller agent).`;
    warnings.push({ code: 'nothing-judged', count: 1, message });
  }
  return warnings;
}

/** Returns how far the mesh reaches beyond the level's box, less a margin; 0: it does not. */
function reachBeyond({ min, max }: Source, mesh: NavMesh, setup: Setup): number {
  const { cell, reach } = setup;
  const margin = [2 * cell, 2 * reach, 2 * cell];
  let beyond = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0) continue;
    for (let k = 0; k < 3; k++) {
      const low = min[k] - margin[k] - mesh.tileBounds[6 * slot + k];
      const high = mesh.tileBounds[6 * slot + 3 + k] - max[k] - margin[k];
      beyond = Math.max(beyond, low, high);
    }
  }
  return beyond;
}
