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
  return { '': navkiln, build, polygon, crowd, corridor, world, io, debug, three, index, kernel, loaders, THREE };
}
