/**
 * `npm run api`: writes the API report of the library, one file per entry: every exported name with its signature.
 *
 * The report is read from the declaration files of the build. It is committed, so a change of the API is a change that a
 * reviewer sees; `npm run check api` compares it with the build.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';

const LIBRARY = join(ROOT, 'packages/navkiln');
const REPORTS = join(LIBRARY, 'api');

/** Returns the exported declarations of a declaration file: Map of name -> text without comments. Overloads are joined. */
export function declarationsOf(text) {
  const found = new Map();
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const starts = [...code.matchAll(/^(?:export|import|declare)\b/gm)].map((match) => match.index);
  starts.forEach((start, i) => {
    const statement = code.slice(start, starts[i + 1] ?? code.length).trim();
    const name = /^export (?:declare )?(?:function|const|let|interface|type) (\w+)/.exec(statement)?.[1];
    if (name === undefined) return;
    const short = statement.replace(/^export (declare )?/, '').replace(/\n\s*\n/g, '\n');
    found.set(name, found.has(name) ? `${found.get(name)}\n${short}` : short);
  });
  return found;
}

/** Returns the report of one entry, read from `dist/<entry>.d.ts`. */
function reportOf(entry) {
  const dist = join(LIBRARY, 'dist');
  const text = readFileSync(join(dist, `${entry}.d.ts`), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const rows = [];
  for (const [, names, from] of text.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)) {
    const declarations = declarationsOf(
      readFileSync(
        join(
          dist,
          dirname(from),
          `${from
            .split('/')
            .at(-1)
            .replace(/\.[jt]s$/, '')}.d.ts`,
        ),
        'utf8',
      ),
    );
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
  rows.sort(([a], [b]) => (a < b ? -1 : 1));
  const subpath = entry === 'index' ? 'navkiln' : `navkiln/${entry}`;
  return `// ${subpath}: ${rows.length} names. Written by \`npm run api\`.\n\n${rows.map(([, text]) => text).join('\n\n')}\n`;
}

/** Returns a Map of file name -> report, for each entry of the package. */
export function apiReports() {
  const { exports } = JSON.parse(readFileSync(join(LIBRARY, 'package.json'), 'utf8'));
  const entries = Object.keys(exports)
    .filter((key) => key !== './package.json')
    .map((key) => (key === '.' ? 'index' : key.slice(2)));
  return new Map(entries.map((entry) => [`${entry}.txt`, reportOf(entry)]));
}

/** Compares the committed reports with the build: one line per file that differs. */
export function checkApi() {
  const wrong = [];
  const reports = apiReports();
  for (const [name, report] of reports) {
    const path = join(REPORTS, name);
    const committed = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (committed === report) continue;
    const known = new Set(committed.split('\n'));
    const lines = report.split('\n').filter((line) => line !== '' && !known.has(line));
    wrong.push(`packages/navkiln/api/${name} differs from the build (npm run api): ${lines.slice(0, 3).join(' | ')}`);
  }
  for (const name of existsSync(REPORTS) ? readdirSync(REPORTS) : []) {
    if (!reports.has(name)) wrong.push(`packages/navkiln/api/${name} belongs to no entry; remove it`);
  }
  return wrong;
}

function main() {
  const reports = apiReports();
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  for (const [name, report] of reports) writeFileSync(join(REPORTS, name), report);
  console.log(`${reports.size} reports in packages/navkiln/api`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
