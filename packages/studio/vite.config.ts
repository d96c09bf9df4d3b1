/** Builds the studio as static files for any web host. All addresses are relative. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defaultClientConditions, defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { dracoInside } from '../../tools/draco.mjs';
import { listFields } from '../cli/src/config/fields.ts';
import { listScenes } from './src/scenes/list-scenes.ts';

/** Parts of the bounding volume hierarchy that the studio, which only casts rays, never calls: a quarter of its first code. */
const UNUSED =
  /three-mesh-bvh\/src\/(?:core\/cast\/(?:closestPoint|intersectsGeometry|refit|bvhcast|shapecast)|math\/(?:OrientedBox|ExtendedTriangle))/;

/** Replaces these parts by empty functions and classes. */
function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    load(id) {
      if (!UNUSED.test(id)) return null;
      const code = readFileSync(id.replace(/\?.*$/, ''), 'utf8');
      const names = [...code.matchAll(/^export (?:\{ (\w+) \}|function (\w+)|class (\w+))/gm)];
      return names
        .map(([, one, two, type]) =>
          type === undefined
            ? `export function ${one ?? two}() { throw new Error('left out of the studio'); }`
            : `export class ${type} {}`,
        )
        .join('\n');
    },
  };
}

/** Small modules that every first load needs. As one file, they compress better, and take one request. */
const SHARED =
  /navkiln\/src\/(?:base\/(?:constants|data\/(?:refuse|plural|two-sided|float-step)|math\/(?:degrees|point|point-2d))|mesh\/(?:ref|link-kinds|link-ref|named|crossing|map-plane|check-mesh))\.ts/;
/** Small modules that the first load of the page needs, too. */
const FIRST =
  /navkiln\/src\/(?:base\/(?:data\/(?:hash|union-find)|math\/slope)|query\/(?:filter|filter-methods|create-filter|search-state|connected)|mesh\/(?:islands|layout|link-places|sizes|tiles\/tile-grid))\.ts/;
const groupsOf = (test: RegExp) => ({ output: { codeSplitting: { groups: [{ name: 'shared', test }] } } });

export default defineConfig({
  base: './',
  resolve: { conditions: ['navkiln-source', ...defaultClientConditions] },
  worker: { format: 'es', plugins: () => [withoutUnused(), dracoInside], rolldownOptions: groupsOf(SHARED) },
  // The library is bundled from its sources. A worker inside an optimized package would not be found.
  optimizeDeps: { exclude: ['navkiln', 'navkiln-cli', 'navkiln-loaders', 'navkiln-scenes'] },
  build: {
    target: 'es2022',
    rolldownOptions: groupsOf(new RegExp(`${SHARED.source}|${FIRST.source}`)),
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // Browsers that do not know `modulepreload` load the same code, a little later.
    modulePreload: { polyfill: false },
    minify: process.env.NOMIN ? false : undefined,
    chunkSizeWarningLimit: 1200,
  },
  plugins: [
    withoutUnused(),
    dracoInside,
    {
      // Lists whose code the page does not need.
      name: 'lists',
      load(id) {
        if (id.endsWith('/studio/src/state/fields.ts'))
          return `export const ALL_FIELDS = ${JSON.stringify(listFields())};`;
        return id.endsWith('/studio/src/scenes/table.ts')
          ? `export const SCENES = ${JSON.stringify(listScenes())};`
          : null;
      },
    },
    {
      // The service worker knows all files of the page, so that it works offline.
      name: 'offline',
      generateBundle(_options, bundle) {
        const examples = readdirSync(join(import.meta.dirname, 'public/scenes')).map((name) => `./scenes/${name}`);
        const files = [
          './',
          './icon.svg',
          ...examples,
          ...Object.keys(bundle).filter((name) => !name.endsWith('.html')),
        ];
        const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
        const code = readFileSync(join(import.meta.dirname, 'offline-worker.js'), 'utf8');
        const head = `const FILES = ${JSON.stringify(files)};\nconst VERSION = '${version}';\n`;
        this.emitFile({ type: 'asset', fileName: 'offline.js', source: head + code });
      },
    },
  ],
});
