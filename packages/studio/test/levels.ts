/** A small glTF level, plain and compressed with Draco, from the tests of the command line. */
import { NodeIO } from '@gltf-transform/core';
import { EXTMeshGPUInstancing, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import dracoCodec from 'draco3dgltf';
import { makeScene } from '../../cli/test/scene.ts';

export { makeScene } from '../../cli/test/scene.ts';

/** Number of triangles: two of the floor, and twelve of each of six boxes. */
export const TRIANGLES = 74;

export function createIo(): NodeIO {
  return new NodeIO().registerExtensions([EXTMeshGPUInstancing]);
}

export async function draco(): Promise<Uint8Array> {
  const document = makeScene();
  document
    .createExtension(KHRDracoMeshCompression)
    .setRequired(true)
    .setEncoderOptions({ method: KHRDracoMeshCompression.EncoderMethod.EDGEBREAKER });
  const io = createIo()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({
      'draco3d.encoder': await dracoCodec.createEncoderModule(),
      'draco3d.decoder': await dracoCodec.createDecoderModule(),
    });
  return io.writeBinary(document);
}

/** A floor in two parts of one name, a road between them and a plate above it, as OBJ. */
export const OBJECTS_OBJ = `o floor
v -10 0 -10
v 10 0 -10
v 10 0 -2
v -10 0 -2
f 4 3 2 1
o road
v 10 0 2
v -10 0 2
f 6 5 3 4
o crate
v -3 1 -2
v 3 1 -2
v 3 1 2
v -3 1 2
f 10 9 8 7
o floor
v -10 0 10
v 10 0 10
f 11 12 5 6
`;
