/** The WebAssembly of Draco's decoder in base64. Bundles of this package contain it (tools/draco.mjs); '': the decoder reads its file. */
export const DRACO_WASM: string = '';
