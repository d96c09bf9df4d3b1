/** Bundles code and what it imports into one module, which runs without files: in a page, or in another Node. */
import { rolldown } from 'rolldown';

/** Returns the bundle of `code`, the text of a module that names other modules by absolute paths. */
export async function bundle(code: string): Promise<string> {
  const entry = 'entry';
  const build = await rolldown({
    input: entry,
    logLevel: 'silent',
    resolve: { conditionNames: ['navkiln-source', 'import', 'default'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return output[0].code;
}
