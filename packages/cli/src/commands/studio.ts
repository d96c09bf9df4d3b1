/**
 * `navkiln studio [FILE...]`: serves the studio on this machine with files opened in it, until it is stopped.
 */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { InputError, codeOf } from '../errors.ts';
import { print } from '../output/print.ts';
import { openBrowser } from '../studio/open-browser.ts';
import { findStudio, nameFiles, serveStudio } from '../studio/serve.ts';
import { EXIT_OK } from './exit.ts';

interface StudioFlags {
  port?: string;
  open: boolean;
}

export function addStudioCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('studio')
    .description(
      'Serve the studio on this machine and open it in a browser: levels (.glb, .gltf with its .bin, .obj), meshes (.navmesh, ' +
        'Detour .bin), 2D maps (.geojson, .tmx, .tmj, .svg, .png, .json). Ctrl-C stops it.',
    )
    .argument('[files...]', 'files to open: a level with the files it refers to, a mesh, or a map')
    .option('--port <number>', 'port to serve on (default: any free port)')
    .option('--no-open', 'print the address without opening a browser')
    .action(async (files: readonly string[], flags: StudioFlags) => {
      const missing = files.find((file) => !existsSync(file));
      if (missing !== undefined) throw new InputError(`${missing}: no such file or folder`);
      const port = flags.port === undefined ? 0 : Number(flags.port);
      if (!Number.isInteger(port) || port < 0 || port > 65535) {
        throw new InputError(`--port: must be a whole number from 0 to 65535 (got "${flags.port}")`);
      }
      const folder = findStudio();
      if (folder === undefined)
        throw new InputError('the studio is not built; in the repository, `npm start` builds it');
      const server = await serveStudio(folder, { files, port }).catch((error: unknown) => {
        if (codeOf(error) === 'EADDRINUSE')
          throw new InputError(`--port: ${port} is in use; choose another or omit the option`);
        throw error;
      });
      const names = [...nameFiles(files).keys()].map(encodeURIComponent);
      const url = names.length === 0 ? server.url : `${server.url}#open=${names.join(',')}`;
      await print(`${url}\n`);
      if (flags.open && process.stdout.isTTY === true) openBrowser(url);
      await new Promise<void>((resolve) => {
        process.once('SIGINT', resolve);
        process.once('SIGTERM', resolve);
      });
      await server.close();
      finish(EXIT_OK);
    });
}
