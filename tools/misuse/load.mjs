import { bakeOptions, level } from './fixtures.mjs';

/** Loads all modules whose functions are tried, by subpath, and three. */
export async function loadModules() {
  const [navkiln, build, polygon, crowd, corridor, world, io, debug, three, index, kernel, loaders, THREE] =
    await Promise.all([
      import('navkiln'),
      import('navkiln/build'),
      import('navkiln/polygon'),
      import('navkiln/crowd'),
      import('navkiln/corridor'),
      import('navkiln/world'),
      import('navkiln/io'),
      import('navkiln/debug'),
      import('navkiln/three'),
      import('navkiln/index'),
      import('navkiln/kernel'),
      import('navkiln-cli/loaders'),
      import('three'),
    ]);
  const streamed = await publishedWorld(world);
  return {
    '': navkiln,
    build,
    polygon,
    crowd,
    corridor,
    world,
    io,
    debug,
    three,
    index,
    kernel,
    loaders,
    THREE,
    streamed,
  };
}

/** Returns a published world that is open: only promises lead to one, and makers of records do not wait. */
async function publishedWorld(world) {
  const files = new Map();
  const store = {
    get: async (name) => files.get(name),
    set: async (name, bytes) => void files.set(name, bytes),
    delete: async (name) => void files.delete(name),
    keys: async () => [...files.keys()],
  };
  await world.publishWorld(store, level(), { ...bakeOptions(), tileSize: 8 });
  return world.openWorld(store);
}
