/**
 * `npm run api`: writes the API report of the library and of documented entries of the command line, one file per entry: every
 * exported name with its signature.
 *
 * The report is read from the declaration files of the build. It is committed, so a change of the API is a change that a
 * reviewer sees; `npm run check api` compares it with the build.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { narrow } from './opaque.mjs';

/** Packages with reports, and the entries of theirs that have one; default: all. */
const PACKAGES = [
  { folder: 'packages/navkiln' },
  { folder: 'packages/loaders', only: ['.'] },
  { folder: 'packages/farm' },
  { folder: 'packages/cli', only: ['./cache'] },
];

/** Returns the exported declarations of a declaration file: Map of name -> text without comments. Overloads are joined. */
export function declarationsOf(text) {
  const found = new Map();
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const starts = [...code.matchAll(/^(?:export|import|declare)\b/gm)].map((match) => match.index);
  starts.forEach((start, i) => {
    const statement = code.slice(start, starts[i + 1] ?? code.length).trim();
    const name = /^export (?:declare )?(?:function|const|let|interface|type|class) (\w+)/.exec(statement)?.[1];
    if (name === undefined) return;
    const short = statement.replace(/^export (declare )?/, '').replace(/\n\s*\n/g, '\n');
    found.set(name, found.has(name) ? `${found.get(name)}\n${short}` : short);
  });
  return found;
}

/** Returns the report of one entry, read from its declaration file. */
function reportOf(entry, path) {
  const rows = rowsOf(entry, path);
  return `// ${entry}: ${rows.length} names. Written by \`npm run api\`.\n\n${rows.map(([, text]) => text).join('\n\n')}\n`;
}

/** Returns the names of an entry or of a group in it, in order, each with its declaration; a group has those of its names. */
function rowsOf(entry, path) {
  const dist = dirname(path);
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const rows = [];
  for (const [, name, from] of text.matchAll(/export \* as (\w+) from '([^']+)'/g)) {
    const members = rowsOf(`${entry} ${name}`, join(dist, from.replace(/\.[jt]s$/, '.d.ts')));
    rows.push([name, `group ${name} {\n${members.map(([, member]) => member.replace(/^/gm, '    ')).join('\n')}\n}`]);
  }
  for (const [, names, from] of text.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)) {
    const declared = join(dist, from.replace(/\.[jt]s$/, '.d.ts'));
    const declarations = declarationsOf(narrow(readFileSync(declared, 'utf8'), { isReport: true }));
    for (const name of names
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')) {
      const declaration = declarations.get(name);
      if (declaration === undefined)
        throw new Error(`api: ${entry} exports ${name}, but ${from} declares no such name`);
      rows.push([name, declaration]);
    }
  }
  return rows.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a Map of path from the root -> report, for each entry that has one. */
export function apiReports() {
  const reports = new Map();
  for (const { folder, only } of PACKAGES) {
    const { name: packageName, exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    for (const [key, target] of Object.entries(exports)) {
      // Before they are bundled: a file for each module.
      const types = target['navkiln-types'] ?? target.types;
      if (types === undefined || only?.includes(key) === false) continue;
      // The main entry is `index`, so the subpath `./index` takes the name of its file.
      const name = key === '.' ? 'index' : key === './index' ? basename(types, '.d.ts') : key.slice(2);
      const path = `${folder}/api/${name}.txt`;
      reports.set(path, reportOf(`${packageName}${key.slice(1)}`, join(ROOT, folder, types)));
    }
  }
  return reports;
}

/** Compares the committed reports with the build: one line per file that differs. */
export function checkApi() {
  const wrong = [];
  const reports = apiReports();
  for (const [path, report] of reports) {
    const full = join(ROOT, path);
    const committed = existsSync(full) ? readFileSync(full, 'utf8') : '';
    if (committed === report) continue;
    const known = new Set(committed.split('\n'));
    const lines = report.split('\n').filter((line) => line !== '' && !known.has(line));
    wrong.push(`${path} differs from the build (npm run api): ${lines.slice(0, 3).join(' | ')}`);
  }
  for (const { folder } of PACKAGES) {
    const api = join(ROOT, folder, 'api');
    for (const name of existsSync(api) ? readdirSync(api) : []) {
      if (!reports.has(`${folder}/api/${name}`)) wrong.push(`${folder}/api/${name} belongs to no entry; remove it`);
    }
  }
  return wrong;
}

function main() {
  const reports = apiReports();
  for (const { folder } of PACKAGES) {
    rmSync(join(ROOT, folder, 'api'), { recursive: true, force: true });
    mkdirSync(join(ROOT, folder, 'api'), { recursive: true });
  }
  for (const [path, report] of reports) writeFileSync(join(ROOT, path), report);
  console.log(`${reports.size} reports in ${PACKAGES.map(({ folder }) => `${folder}/api`).join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
