/** Builds the studio as static files for any web host. All addresses are relative. */
import { defaultClientConditions, defineConfig } from 'vite';
import { listFields } from '../cli/src/config/fields.ts';

export default defineConfig({
  base: './',
  resolve: { conditions: ['navkiln-source', ...defaultClientConditions] },
  worker: { format: 'es' },
  // The library is bundled from its sources. A worker inside an optimized package would not be found.
  optimizeDeps: { exclude: ['navkiln', 'navkiln-cli', 'navkiln-scenes'] },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, sourcemap: false, chunkSizeWarningLimit: 1200 },
  plugins: [
    {
      name: 'fields',
      load: (id) =>
        id.endsWith('/studio/src/state/fields.ts')
          ? `export const ALL_FIELDS = ${JSON.stringify(listFields())};`
          : null,
    },
  ],
});
