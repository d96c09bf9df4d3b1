/**
 * Enables and disables named areas and links at run time: doors, bridges, gates.
 *
 * Polygons get their names when they are built (`name` of a volume, areas of 2D maps, `TileData.groups`), so that
 * they end at the outline of the area. Links get theirs when they are added (`name` of `addLink`). Everything with
 * one name is switched together. Nothing is rebuilt.
 *
 * Cost: linear in the polygons and links of the name. Disabling leaves islands to be united again by the next
 * search that fails.
 * Based on: own; the purpose is that of Unreal's smart links and navigation areas.
 */
import { refuse } from '../../base/data/refuse.ts';
import { checkMutableStates, checkNavMesh } from '../check-mesh.ts';
import { markIslandsStale, uniteAround } from '../islands.ts';
import { setLinkEnabled } from './links.ts';
import { noteLocalChange } from './local-changes.ts';
import { applyState, findGroup } from '../named.ts';
import { polyIndexOf } from '../ref.ts';
import type { LinkRef, NamedGroup, NavMesh } from '../types.ts';

/**
 * Enables or disables all polygons and links with a name, for all queries and agents. The state is saved with the
 * mesh and stays when tiles are rebuilt, also while no tile has polygons of that name.
 *
 * While a name is disabled, its polygons have the flags 0; `setFlags` sets those that they get when it is enabled.
 * Agents that stand there move to the nearest open polygon; agents on a link finish the traverse. Throws a
 * RangeError for a name that the mesh does not have.
 */
export function setEnabled(mesh: NavMesh, name: string, enabled: boolean): void {
  const group = requireGroup('setEnabled', mesh, name);
  checkMutableStates('setEnabled', mesh);
  if (typeof enabled !== 'boolean') refuse('setEnabled', 'enabled', enabled, 'true or false');
  noteLocalChange(mesh, [-1, ...Array.from(group.polys.keys(), (ref) => polyIndexOf(mesh, ref))]);
  if (group.isEnabled !== enabled) {
    group.isEnabled = enabled;
    applyState(mesh, group);
    if (!enabled && group.polys.size > 0) markIslandsStale(mesh);
    if (enabled) for (const ref of group.polys.keys()) uniteAround(mesh, polyIndexOf(mesh, ref));
  }
  for (const link of group.links) setLinkEnabled(mesh, link as LinkRef, enabled);
}

/** Returns whether a name is enabled. Throws a RangeError for a name that the mesh does not have. */
export function isEnabled(mesh: NavMesh, name: string): boolean {
  return requireGroup('isEnabled', mesh, name).isEnabled;
}

/** Returns the names of areas and links, sorted; also those that no polygon has at present. */
export function listNames(mesh: NavMesh): string[] {
  checkNavMesh('listNames', mesh);
  return mesh.groups.map(({ name }) => name).sort();
}

function requireGroup(caller: string, mesh: NavMesh, name: string): NamedGroup {
  checkNavMesh(caller, mesh);
  const names = mesh.groups.map((group) => JSON.stringify(group.name)).join(', ');
  return (
    findGroup(mesh, name) ??
    refuse(caller, 'name', name, names === '' ? 'a name of the mesh, which has none' : `one of ${names}`)
  );
}
