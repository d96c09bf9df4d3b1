import { bakeOptions, level, storeOf } from './fixtures.mjs';

/** Loads all modules whose functions are tried, by subpath, and three. */
export async function loadModules() {
  const [
    navkiln,
    build,
    polygon,
    crowd,
    corridor,
    world,
    io,
    debug,
    three,
    babylon,
    playcanvas,
    phaser,
    index,
    kernel,
    loaders,
    publish,
    rollback,
    links,
    clearance,
    routes,
    record,
    worker,
    share,
    THREE,
  ] = await Promise.all([
    import('navkiln'),
    import('navkiln/build'),
    import('navkiln/polygon'),
    import('navkiln/crowd'),
    import('navkiln/corridor'),
    import('navkiln/world'),
    import('navkiln/io'),
    import('navkiln/debug'),
    import('navkiln/three'),
    import('navkiln/babylon'),
    import('navkiln/playcanvas'),
    import('navkiln/phaser'),
    import('navkiln/index'),
    import('navkiln/kernel'),
    import('navkiln-loaders'),
    import('navkiln/publish'),
    import('navkiln/rollback'),
    import('navkiln/links'),
    import('navkiln/clearance'),
    import('navkiln/routes'),
    import('navkiln/record'),
    import('navkiln/worker'),
    import('navkiln/share'),
    import('three'),
  ]);
  const streamed = await publishedWorld(world);
  return {
    '': navkiln,
    build: withGroups(build),
    polygon: withGroups(polygon),
    crowd,
    corridor,
    world,
    io,
    debug: withGroups(debug),
    three,
    babylon,
    playcanvas,
    phaser,
    index: withGroups(index),
    kernel: withGroups(kernel),
    loaders,
    publish,
    rollback,
    links,
    clearance,
    routes: withGroups(routes),
    share,
    record,
    worker: { ...worker, createIndexedDbCache: withIndexedDb(worker.createIndexedDbCache) },
    THREE,
    streamed,
    planned: await plannedWorld(publish),
  };
}

/**
 * Returns the exports of an entry with those of its groups, such as `bakeStages` of the bake, beside them.
 *
 * @template T
 * @param {T} entry
 * @returns {T}
 */
function withGroups(entry) {
  const groups = Object.values(entry).filter((value) => value?.[Symbol.toStringTag] === 'Module');
  return Object.assign({}, entry, ...groups);
}

/** Returns a function that finds an IndexedDB while it is called: Node has none, and other tests count on that. */
function withIndexedDb(call) {
  return (...args) => {
    globalThis.indexedDB = {};
    try {
      return call(...args);
    } finally {
      delete globalThis.indexedDB;
    }
  };
}

/** Returns a published world that is open: only promises lead to one, and makers of records do not wait. */
async function publishedWorld(world) {
  const store = storeOf(new Map());
  await world.publishWorld(store, level(), { ...bakeOptions(), tileSize: 8 }, { routes: true });
  return world.openWorld(store);
}

/** Returns a plan whose chunks are baked, with the files of its store. */
async function plannedWorld(publish) {
  const files = new Map();
  const store = storeOf(files);
  const { plan } = await publish.planPublication(store, level(), bakeOptions());
  for await (const { chunks } of publish.readPlanParts(store, plan))
    for (const { key } of chunks) await publish.createPlanBaker(store, plan).bakeChunk(key);
  return { plan, files };
}
