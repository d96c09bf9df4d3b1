/** The bundler replaces an import with `?url` by the address of the file. */
declare module '*.wasm?url' {
  const address: string;
  export default address;
}
