/**
 * Runs command lines one after another, and prints a line of JSON for each: exit status, message, CPU time, and the most memory that the
 * process has had so far. Runs in a process of its own, with a limit of its heap. `argv`: the built main.js, a file with the list.
 */
import { readFileSync, writeSync } from 'node:fs';

const [, , mainFile, listFile] = process.argv;
const { main } = await import(mainFile);
const say = (value) => writeSync(3, `${JSON.stringify(value)}\n`);
for (const { name, cwd, args } of JSON.parse(readFileSync(listFile, 'utf8'))) {
  let text = '';
  const write = process.stderr.write;
  process.stderr.write = (chunk, ...rest) => {
    text += chunk;
    const done = rest.find((one) => typeof one === 'function');
    if (done) queueMicrotask(done);
    return true;
  };
  process.chdir(cwd);
  say({ started: name });
  globalThis.gc?.();
  const from = process.cpuUsage();
  let status;
  try {
    status = await main(args);
  } catch (error) {
    status = `uncaught: ${error?.stack}`;
  }
  const { user, system } = process.cpuUsage(from);
  process.stderr.write = write;
  say({ name, status, text, cpuMs: (user + system) / 1000, maxRssMb: process.resourceUsage().maxRSS / 1024 });
}
