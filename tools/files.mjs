/** Reads the text files of the repository: files that git tracks, or would track. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const TEXT = /\.(ts|mts|mjs|js|json|md|svg|yaml|yml|html|css|obj|txt|jpg|png)$|(^|\/)(LICENSE|run|\.gitignore)$/;

/** Returns a Map of path from the root -> text. */
export function readRepository() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const files = new Map();
  for (const path of listed.toString().split('\0')) {
    const full = join(ROOT, path);
    if (path === '' || !TEXT.test(path) || !existsSync(full) || statSync(full).size > 4e6) continue;
    files.set(path, readFileSync(full, 'utf8'));
  }
  return files;
}
