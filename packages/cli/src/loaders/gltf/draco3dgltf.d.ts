/** What is used of draco3dgltf, which ships no types. */
declare module 'draco3dgltf' {
  const draco: {
    createDecoderModule(settings?: { wasmBinary?: ArrayBuffer }): Promise<unknown>;
    createEncoderModule(): Promise<unknown>;
  };
  export default draco;
}
