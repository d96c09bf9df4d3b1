/** Builds the mesh of a 2D map. Loaded with the first map. */
import { buildFromPolygons } from 'navkiln/polygon';
import type { PolygonMap } from 'navkiln/polygon';
import { boundsOfMesh } from './bounds.ts';
import type { Baked, Task } from './protocol.ts';
import { keepTypes } from './with-sizes.ts';

export function bakeMap(map: PolygonMap, { options, agentTypes }: Extract<Task, { type: 'bake-map' }>): Baked {
  const { navMesh, report, areas } = buildFromPolygons(map, options);
  keepTypes(navMesh, agentTypes);
  return { kind: 'baked', navMesh, report, areas, bounds: boundsOfMesh(navMesh) };
}
