/** Style sheets that are imported for their effect: the bundler lays them beside the code. */
declare module '*.css' {}
