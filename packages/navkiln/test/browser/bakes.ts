/** Bakes, paths and path indexes of the bundled scenes, computed in Node and in Chromium, as hashes of their bytes. */
import { findPath, saveNavMesh } from 'navkiln';
import { buildNavMesh, optionsFromSettings } from 'navkiln/build';
import { buildPathIndex, findIndexedPath, loadPathIndex, savePathIndex } from 'navkiln/index';
import { findLevelScene } from 'navkiln-scenes';

const SCENES = ['house', 'tower', 'caves', 'soup', 'courtyard'];
/** The indexed scene, and the side of its tiles in cells. */
const INDEXED = 'tower';
const TILE_CELLS = 48;
const TIERS = ['table', 'labels', 'graph', 'overlay'] as const;
const PARTITIONS = ['watershed', 'monotone', 'layers'] as const;

/** Returns hashes of bakes and indexes. `isFull` 0 bakes each scene with one partitioning, 1 with all. */
export function hashBakes(isFull: number = 1): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const [i, name] of SCENES.entries()) {
    const scene = findLevelScene(name)!;
    const input = scene.create();
    for (const [p, partition] of PARTITIONS.entries()) {
      if (isFull === 0 && (i + 2 * p) % PARTITIONS.length !== 0) continue;
      // With layers, merging many holes takes long.
      if (partition === 'layers' && (name === 'courtyard' || name === 'tower')) continue;
      const { navMesh } = buildNavMesh(input, {
        ...scene.options,
        ...optionsFromSettings({ partition }),
        maxVerticesPerPoly: 8,
      });
      const path = findPath(navMesh, scene.path.from, scene.path.to);
      hashes[`${name}, ${partition}`] =
        `${hash(saveNavMesh(navMesh))} ${hash(new Uint8Array(Float64Array.from(path.points.flat()).buffer))}`;
    }
  }
  return { ...hashes, ...hashIndexes() };
}

/** Returns hashes of saved path indexes, and of a path of each. */
function hashIndexes(): Record<string, string> {
  const hashes: Record<string, string> = {};
  const scene = findLevelScene(INDEXED);
  const tileSize = TILE_CELLS * scene.options.cellSize!;
  const { navMesh } = buildNavMesh(scene.create(), { ...scene.options, tileSize });
  for (const tier of TIERS) {
    const bytes = savePathIndex(buildPathIndex(navMesh, { tier }));
    const path = findIndexedPath(loadPathIndex(bytes, navMesh), navMesh, scene.path.from, scene.path.to);
    const points = Float64Array.from(path.points.flat());
    hashes[`${INDEXED}, ${tier} of ${path.source}`] = `${hash(bytes)} ${hash(new Uint8Array(points.buffer))}`;
  }
  return hashes;
}

function hash(bytes: Uint8Array): string {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return `${(h >>> 0).toString(16)}/${bytes.length}`;
}
