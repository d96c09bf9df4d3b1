/** `npm run build`: checks types, writes them, and bundles the published packages. Skips what is up to date. */
import { build } from './setup.mjs';

await build();
