/**
 * The rules of `npm run check` on dependencies: every locked package has a checksum and comes from the registry, and
 * nothing that is published depends on what is not.
 */
import { importsOf } from './source-text.mjs';

/**
 * The binaries of the formatter and the linter for other platforms, which the registry that the lock was made from
 * does not have. `npm ci` needs their entries. They are optional, and no published package depends on them.
 */
const UNSEEN = /^node_modules\/@(oxfmt|oxlint)\/binding-[\w-]+$/;

/** Checks package-lock.json and the package.json files in a Map of path -> text. Returns violations, one line each. */
export function checkSupply(files) {
  const manifests = new Map();
  for (const [path, text] of files) {
    if (/^(packages\/[^/]+\/)?package\.json$/.test(path)) manifests.set(path, JSON.parse(text));
  }
  const wrong = files.has('package-lock.json')
    ? checkLock(JSON.parse(files.get('package-lock.json')), manifests)
    : ['package-lock.json is missing; run npm install'];
  const own = new Map([...manifests.values()].map((manifest) => [manifest.name, manifest]));
  for (const [path, manifest] of manifests) {
    wrong.push(...checkVersions(path, manifest, own));
    if (manifest.private !== true) {
      wrong.push(...checkPublished(path, manifest, own), ...checkDeclared(files, path, manifest, own));
    }
  }
  return wrong;
}

function checkLock(lock, manifests) {
  const wrong = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    const at = `package-lock.json: ${path}`;
    if (entry.link === true || !path.includes('node_modules/')) {
      const folder = entry.link === true ? entry.resolved : path;
      if (!manifests.has(folder === '' ? 'package.json' : `${folder}/package.json`)) {
        wrong.push(`${at} is no package of this repository`);
      }
      continue;
    }
    const isUnseen = UNSEEN.test(path) && entry.integrity === undefined && entry.dev && entry.optional && entry.os;
    if (!isUnseen && !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? '')) {
      wrong.push(`${at} has no sha512 integrity; let npm resolve it again`);
    }
    if (entry.resolved !== undefined) {
      wrong.push(
        `${at} comes from ${entry.resolved}; must come from the registry (npm's omit-lockfile-registry-resolved)`,
      );
    }
    if (entry.hasInstallScript === true) wrong.push(`${at} runs a script when it is installed; choose another package`);
  }
  return wrong;
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Checks that versions are exact, and that those of packages of this repository are current. */
function checkVersions(path, manifest, own) {
  const wrong = [];
  for (const kind of KINDS) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      const needed = own.get(name)?.version;
      if (needed !== undefined && version !== needed) {
        wrong.push(`${path}: ${kind}.${name} is ${version}; must be ${needed}, as in its package.json`);
      } else if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
        wrong.push(`${path}: ${kind}.${name} is ${version}; must be an exact version`);
      }
    }
  }
  return wrong;
}

/** Checks that the dependencies of a published package are published, too, or bundled with it. */
function checkPublished(path, manifest, own) {
  const wrong = [];
  const bundled = manifest.bundleDependencies ?? [];
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const name of Object.keys(manifest[kind] ?? {})) {
      const needed = own.get(name);
      if (needed?.private !== true) continue;
      if (!bundled.includes(name)) {
        wrong.push(`${path}: ${kind}.${name} is private; bundle it, or publish it`);
        continue;
      }
      const inner = Object.keys(needed.dependencies ?? {}).filter((one) => manifest.dependencies?.[one] === undefined);
      for (const one of inner) wrong.push(`${path}: bundles ${name}, which needs ${one}; add that to dependencies`);
    }
  }
  for (const script of ['preinstall', 'install', 'postinstall']) {
    if (manifest.scripts?.[script] !== undefined)
      wrong.push(`${path}: scripts.${script} runs on the user's machine; remove it`);
  }
  return wrong;
}

/**
 * Checks that a published package declares what its sources import. Private packages of this repository are
 * devDependencies: their code is in the bundle (bundle.mjs), so what they need must be declared, too. So is the code of packages that
 * its THIRD-PARTY.md names.
 */
function checkDeclared(files, path, manifest, own) {
  const wrong = [];
  const inBundle = Object.keys(manifest.devDependencies ?? {}).filter((name) => own.get(name)?.private === true);
  for (const name of inBundle) {
    const inner = Object.keys(own.get(name).dependencies ?? {}).filter(
      (one) => manifest.dependencies?.[one] === undefined,
    );
    for (const one of inner)
      wrong.push(`${path}: its bundle has ${name}, which needs ${one}; add that to dependencies`);
  }
  const folder = path.slice(0, -'package.json'.length);
  // Code of others in the bundle has its license named in the package.
  const notices = files.get(`${folder}THIRD-PARTY.md`) ?? '';
  const noticed = Object.keys(manifest.devDependencies ?? {}).filter((name) => notices.includes(`\`${name}\``));
  const known = [
    manifest.name,
    ...inBundle,
    ...noticed,
    ...['dependencies', 'peerDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {})),
  ];
  for (const [file, text] of files) {
    if (!file.startsWith(`${folder}src/`) || !file.endsWith('.ts')) continue;
    for (const { line, name } of importsOf(text)) {
      if (name.startsWith('.') || name.startsWith('node:')) continue;
      const needed = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
      if (!known.includes(needed)) wrong.push(`${file}:${line} imports '${name}', which ${path} does not declare`);
    }
  }
  return wrong;
}
