/**
 * A worker as a process of its own, from the build. Its argument is JSON: the folder of the world and the options of `runFarmWorker`. It
 * prints a line of JSON for each event. `clockMs`: how far its clock is ahead.
 */
import { createFolderStore } from 'navkiln-cli/cache';
import { runFarmWorker } from 'navkiln-farm';

const { world, clockMs = 0, ...options } = JSON.parse(process.argv[2]);
const { now } = Date;
Date.now = () => now() + clockMs;
const print = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
await runFarmWorker(createFolderStore(world), {
  ...options,
  onEvent: ({ type, chunk, reason }) => print({ type, chunk, reason }),
});
