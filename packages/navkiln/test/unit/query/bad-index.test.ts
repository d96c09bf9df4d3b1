/** Kernels called with an index that is no polygon may throw or find nothing, but they end and do not change the mesh. */
import { expect, it } from 'vitest';
import { areOnOneIsland } from '../../../src/mesh/islands.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { findTile } from '../../../src/mesh/tiles/tile-grid.ts';
import { removeTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from '../../../src/query/flood/flood.ts';
import { createNearestHit } from '../../../src/query/nearest/nearest.ts';
import { findNearestOnIsland } from '../../../src/query/nearest/on-island.ts';
import { findCorridor } from '../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../src/query/path/corridor.ts';
import { createRayHit } from '../../../src/query/ray/hit.ts';
import { raycastInto } from '../../../src/query/ray/raycast.ts';
import { createSearchState } from '../../../src/query/search-state.ts';
import { createNeighborhood, findLocalNeighborhoodInto } from '../../../src/query/walk/neighborhood.ts';
import { createSlide, moveAlongSurfaceInto } from '../../../src/query/walk/slide.ts';
import { createWallHit, findDistanceToWallInto } from '../../../src/query/walk/wall.ts';
import { addWallSegments, createWallSegments } from '../../../src/query/walk/wall-segments.ts';
import { watched } from '../../property/watched.ts';
import { tiledMesh } from '../mesh/tiled-meshes.ts';

it('leave the mesh as it is', () => {
  const mesh = tiledMesh();
  const slot = findTile(mesh, 1, 0, 0);
  const gone = mesh.tilePolyStart[slot];
  removeTile(mesh, slot);
  const seen = watched(mesh, ['polyPortal']);
  const before = saveNavMesh(mesh);
  const state = createSearchState();
  const filter = DEFAULT_FILTER;
  const [a, b] = [Float64Array.of(1, 0, 1), Float64Array.of(5, 0, 5)];
  const kernels: Readonly<Record<string, (poly: number) => void>> = {
    findCorridor: (poly) => findCorridor(createCorridor(), state, seen, filter, poly, a, 0, b, Infinity),
    'findCorridor to': (poly) => findCorridor(createCorridor(), state, seen, filter, 0, a, poly, b, Infinity),
    floodInto: (poly) => floodInto(createFlood(), createFloodState(), seen, filter, poly, a, createFloodBounds()),
    raycastInto: (poly) => raycastInto(createRayHit(), seen, poly, a, b, filter, false),
    moveAlongSurfaceInto: (poly) => moveAlongSurfaceInto(createSlide(), state, seen, poly, a, b, filter),
    findDistanceToWallInto: (poly) => findDistanceToWallInto(createWallHit(), state, seen, poly, a, 3, filter),
    findLocalNeighborhoodInto: (poly) =>
      findLocalNeighborhoodInto(createNeighborhood(), state, seen, poly, a, 3, filter),
    addWallSegments: (poly) => addWallSegments(createWallSegments(), seen, poly, filter, true),
    findNearestOnIsland: (poly) => findNearestOnIsland(createNearestHit(), seen, poly, a, filter),
    areOnOneIsland: (poly) => void areOnOneIsland(seen, poly, 0),
  };
  for (const [name, kernel] of Object.entries(kernels)) {
    for (const poly of [-1, gone, mesh.polyCount, 0x7fffffff, 0.5, NaN]) {
      let error = '';
      try {
        kernel(poly);
      } catch (caught) {
        error = (caught as Error).message;
      }
      expect(error, `${name}, ${poly}`).not.toMatch(/a write to/);
    }
    expect(Buffer.compare(saveNavMesh(mesh), before), name).toBe(0);
  }
  expect(validateNavMesh(mesh)).toEqual([]);
});
