/**
 * Agent types: a name for a size together with costs of areas, closed areas and closed links. A type contains a query
 * filter, so that every query and every agent of a crowd can use it.
 *
 * In: a mesh, and a list of types; by default those that the mesh was baked with. Out: a list of names and filters.
 * Cost: linear in the types.
 * Based on: own; agent types of Unity, whose areas and links are chosen for each agent.
 */
import { MAX_SIZES } from '../base/constants.ts';
import { checkArray, checkKeys, checkName, checkObject, refuse, showValue } from '../base/data/refuse.ts';
import { decodeRules, encodeRules, RULE_KEYS } from '../mesh/agent-rules.ts';
import type { AgentRules } from '../mesh/agent-rules.ts';
import { checkMutableMesh, checkNavMesh } from '../mesh/check-mesh.ts';
import { hasOneBody, readSize } from '../mesh/sizes.ts';
import type { SizeLike } from '../mesh/sizes.ts';
import type { NavMesh } from '../mesh/types.ts';
import { createFilter } from './create-filter.ts';
import type { QueryFilter } from './filter.ts';

/** A type of agents without a body of its own, for `setAgentTypes`. */
export interface NamedRules extends AgentRules {
  /** A unique name that is not empty. */
  name: string;
}

/** A type of agents, for `createAgentTypes`. */
export interface AgentTypeOptions extends NamedRules {
  /** On a mesh with sizes: see `findSize`. Default: the size of that name, or the first. */
  size?: SizeLike;
}

/** A type of agents. `Name` is known where the types were made from a list with names in it. */
export interface AgentType<Name extends string = string> {
  name: Name;
  /** The filter for queries. Its `size` is the index in `mesh.sizes`. You may change it between queries. */
  filter: QueryFilter;
}

/**
 * Returns types of agents on a mesh, for `typeFilter` and for the option `types` of `createCrowd`. Without a list, these are the sizes that
 * the mesh was baked with, and the rules that they had in `createAgentSizes`; a mesh without sizes has none.
 *
 * @throws TypeError, RangeError for names that are empty or occur twice, sizes that the mesh does not have, and rules out of range
 */
export function createAgentTypes<const Name extends string = string>(
  navMesh: NavMesh,
  types?: readonly (AgentTypeOptions & { name: Name })[],
): AgentType<Name>[] {
  const caller = 'createAgentTypes';
  checkNavMesh(caller, navMesh);
  const { sizes } = navMesh;
  const given: readonly (AgentTypeOptions & { name: Name })[] =
    types ?? sizes.map(({ name, rules }) => ({ name: name as Name, ...decodeRules(rules) }));
  const at = types === undefined ? 'navMesh.sizes' : 'types';
  checkArray(caller, at, given);
  return given.map((type, i) => {
    const path = `${at}[${i}]`;
    checkObject(caller, path, type);
    checkKeys(caller, type, ['name', 'size', ...RULE_KEYS], path);
    const { name, size = sizes.find((one) => one.name === name)?.name } = type;
    checkName(caller, `${path}.name`, name);
    if (given.findIndex((one) => one.name === name) < i) refuse(caller, `${path}.name`, name, 'a name of its own');
    // Encoding also checks the rules.
    const { closedAreas = [], areaCosts, ...flags } = decodeRules(encodeRules(caller, type, path));
    const costs = { ...areaCosts, ...Object.fromEntries(closedAreas.map((area) => [area, Infinity])) };
    const index = size === undefined ? 0 : readSize(caller, navMesh, size, `${path}.size`);
    return { name, filter: createFilter({ ...flags, areaCosts: costs, size: index }) };
  });
}

/**
 * Keeps types of agents in a mesh of one agent, such as a 2D map or a surface mesh, so that its file has them: `createAgentTypes(navMesh)`
 * returns them, and the command line and the studio list them. They replace those of an earlier call, and all of them can use all links.
 * Bakes with `sizes` keep their types themselves.
 *
 * @throws TypeError, RangeError for a mesh with sizes, more than 16 types, and as `createAgentTypes`
 */
export function setAgentTypes(navMesh: NavMesh, types: readonly NamedRules[]): void {
  const caller = 'setAgentTypes';
  checkMutableMesh(caller, navMesh, 'navMesh');
  checkArray(caller, 'types', types);
  if (types.length > MAX_SIZES) refuse(caller, 'types.length', types.length, `at most ${MAX_SIZES}`);
  if (!hasOneBody(navMesh))
    refuse(
      caller,
      'navMesh.sizes',
      navMesh.sizes.map(({ name }) => name),
      'empty; createAgentTypes takes a list',
    );
  const sizes = types.map((type, i) => {
    const path = `types[${i}]`;
    checkObject(caller, path, type);
    for (const key of ['radius', 'height', 'size'] as const) {
      if (key in type)
        refuse(
          caller,
          `${path}.${key}`,
          type[key as never],
          'absent: types of this mesh have its agent; bake with sizes, or a mesh for each radius',
        );
    }
    checkKeys(caller, type, ['name', ...RULE_KEYS], path);
    checkName(caller, `${path}.name`, type.name);
    if (types.findIndex((one) => one.name === type.name) < i)
      refuse(caller, `${path}.name`, type.name, 'a name of its own');
    return { name: type.name, ...navMesh.agent, rules: encodeRules(caller, type, path) };
  });
  navMesh.revision++;
  navMesh.sizes = sizes;
  navMesh.polySizes.fill(0xffff);
  for (let link = 0; link < navMesh.linkCount; link++)
    navMesh.linkSizes[link] = navMesh.linkState[link] === 0 ? 0 : (1 << sizes.length) - 1;
}

/** Returns the filter of a type, as the option `filter` of queries. Throws a RangeError for an unknown name; the message lists the types. */
export function typeFilter<Name extends string>(types: readonly AgentType<Name>[], name: NoInfer<Name>): QueryFilter {
  checkArray('typeFilter', 'types', types);
  return types[indexOfType('typeFilter', types, name, 'name')].filter;
}

/** Returns the index of a type. @internal */
export function indexOfType(caller: string, types: readonly AgentType[], name: string, path: string): number {
  const index = types.findIndex((type) => type?.name === name);
  const known = types.map((type) => showValue(type?.name)).join(', ');
  return index < 0 ? refuse(caller, path, name, `a type: ${known || 'there are none'}`) : index;
}
