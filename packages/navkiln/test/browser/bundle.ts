/** Bundles code and its imports into one module that needs no files: for a page, or for another Node. */
import { rolldown } from 'rolldown';

/**
 * Returns the bundle of `code`, the text of a module that names other modules by absolute paths. Imports that match `external` stay
 * imports.
 */
export async function bundle(code: string, external?: RegExp): Promise<string> {
  const entry = 'entry';
  const build = await rolldown({
    input: entry,
    logLevel: 'silent',
    external,
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
