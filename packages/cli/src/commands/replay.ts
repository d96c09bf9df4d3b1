/** `navkiln replay FILE --mesh MESH`: repeats a recording of a crowd, and compares it with another one. */
import type { Command } from 'commander';
import { hashCrowd } from 'navkiln/crowd';
import { compareRecordings, replay } from 'navkiln/record';
import type { ReplayOptions } from 'navkiln/record';
import { InputError, messageOf } from '../errors.ts';
import { readGiven } from '../loaders/given-file.ts';
import { print } from '../output/print.ts';
import { jsonLine, plural } from '../output/text.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { parseNavMesh, readBytes, readNavMesh } from './navmesh-file.ts';

/** Largest recording, bytes. */
const MAX_RECORDING_BYTES = 2 ** 30;

interface ReplayFlags {
  mesh: string;
  compare?: string;
  until?: string;
  json?: boolean;
}

export function addReplayCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('replay')
    .description(
      'Repeat a recording of a crowd, and verify the hash of each tick. The exit status is 1 when one differs, or when two recordings do.',
    )
    .argument('<file>', 'a recording: the bytes of finishRecording of navkiln/record')
    .requiredOption('--mesh <file>', 'the mesh as it was when the recording began, a .navmesh file')
    .option('--compare <file>', 'another recording of the same game: print the first tick, agent and field that differ')
    .option('--until <tick>', 'stop at this tick, counted from the start of the recording')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExample:  navkiln replay a.nkrec --mesh town.navmesh --compare b.nkrec')
    .action(async (file: string, flags: ReplayFlags) => finish(await runReplay(file, flags)));
}

async function runReplay(file: string, { mesh, compare, until, json }: ReplayFlags): Promise<number> {
  const options: ReplayOptions = {};
  if (until !== undefined) {
    options.until = Number(until);
    if (!/^\d+$/.test(until)) throw new InputError(`--until is '${until}'; must be a tick, a whole number`);
  }
  const recording = readGiven(file, MAX_RECORDING_BYTES);
  const other = compare === undefined ? undefined : readGiven(compare, MAX_RECORDING_BYTES);
  const { navMesh } = await readNavMesh(mesh);
  const replayed = inFile(file, () => replay(recording, navMesh, options));
  const { crowd, tick, tickCount, callCount, agreedChecks, divergence, info } = replayed;
  // Each replay changes its mesh.
  const bytes = readBytes(mesh);
  const meshes = [(await parseNavMesh(bytes)).navMesh, (await parseNavMesh(bytes)).navMesh];
  const difference =
    other === undefined
      ? null
      : inFile(`${file}, ${compare}`, () => compareRecordings(recording, other, () => meshes.pop()!, options));
  const { agentCount } = crowd;
  if (json === true) {
    const hash = hashCrowd(crowd).toString(16).padStart(8, '0');
    await print(
      jsonLine({
        file,
        ticks: tickCount,
        calls: callCount,
        tick,
        agents: agentCount,
        hash,
        agreedChecks,
        divergence,
        ...(compare === undefined ? {} : { difference }),
        ...(info === undefined ? {} : { info }),
      }),
    );
  } else {
    const lines = [
      `${file}: ${plural(tickCount, 'tick')}, ${plural(callCount, 'call')}`,
      ...(info === undefined ? [] : [`info: ${JSON.stringify(info)}`]),
      `tick ${tick}: ${plural(agentCount, 'agent')}; ${plural(agreedChecks, 'check')} agreed`,
      ...(divergence === null ? [] : [divergence.message]),
      ...(compare === undefined ? [] : [difference?.message ?? `${compare}: equal`]),
    ];
    await print(`${lines.join('\n')}\n`);
  }
  return divergence === null && difference === null ? EXIT_OK : EXIT_NO;
}

/** Runs a function that reads recordings. Its refusals become errors of the file. */
function inFile<T>(label: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const message = messageOf(error);
    if (!/^(replay|compareRecordings): /.test(message)) throw error;
    throw new InputError(`${label}: ${message.replace(/^\w+: /, '')}`);
  }
}
