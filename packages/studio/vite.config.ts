/** The studio as static files that any web host serves: all addresses are relative. */
import { defaultClientConditions, defineConfig } from 'vite';
import { listFields } from '../cli/src/config/schema.ts';

export default defineConfig({
  base: './',
  resolve: { conditions: ['navkiln-source', ...defaultClientConditions] },
  worker: { format: 'es' },
  // The library's sources come from beside; a worker inside an optimized package would not be found.
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
