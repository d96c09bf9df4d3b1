// Builds what is stale, then runs the benchmark with the same flags.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

const built = run('npx', ['tsc', '-b', 'packages/bench']);
process.exit(built !== 0 ? built : run(process.execPath, ['packages/bench/dist/main.js', ...process.argv.slice(2)]));
