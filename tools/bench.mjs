// Builds what is stale, then runs the benchmark with the same flags.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { printHelp } from './arguments.mjs';
import { ROOT } from './files.mjs';
import { build } from './setup.mjs';

printHelp(join(ROOT, 'packages/bench/src/main.ts'));
await build();
const args = ['packages/bench/dist/main.js', ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1);
