/** The parts of draco3dgltf that are used. The package contains no types. */
declare module 'draco3dgltf' {
  const draco: {
    createDecoderModule(settings?: { wasmBinary?: ArrayBuffer }): Promise<unknown>;
    createEncoderModule(): Promise<unknown>;
  };
  export default draco;
}
