/** The bundler gives a file's address for `?url`. */
declare module '*.wasm?url' {
  const address: string;
  export default address;
}
