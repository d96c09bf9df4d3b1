/** The studio as static files that any web host serves: all addresses are relative. */
import { defaultClientConditions, defineConfig } from 'vite';

const conditions = ['navkiln-source', ...defaultClientConditions];

export default defineConfig({
  base: './',
  resolve: { conditions },
  worker: { format: 'es' },
  // The library's sources come from beside; a worker inside an optimized package would not be found.
  optimizeDeps: { exclude: ['navkiln', 'navkiln-cli', 'navkiln-scenes'] },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, sourcemap: false, chunkSizeWarningLimit: 900 },
});
