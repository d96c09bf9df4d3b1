/** How readers get the files that a .gltf refers to. */

/**
 * Returns the bytes of a file that a .gltf refers to. `name` is its path relative to the .gltf, decoded: "my level.bin".
 * `uri` is the same as written in the .gltf, for messages and for `fetch`: "my%20level.bin". Throws or rejects when the
 * file is missing.
 */
export type ReadBeside = (name: string, uri: string) => Uint8Array | Promise<Uint8Array>;
