/** The parts of draco3dgltf that are used here and in tests. The package contains no types. */
declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  const createDecoderModule: (settings?: { wasmBinary?: Uint8Array }) => Promise<unknown>;
  export default createDecoderModule;
}
declare module 'draco3dgltf' {
  const draco: { createDecoderModule(): Promise<unknown>; createEncoderModule(): Promise<unknown> };
  export default draco;
}
