/**
 * Guards the decoder of Draco. The size of its result is only known while it decodes, so its memory is taken from the
 * budget then. Missing attributes are refused.
 */
import { InputError } from '../../errors.ts';
import { spend } from '../budget.ts';
import type { ReadBudget } from '../budget.ts';

/** The parts of the decoder that are used. */
interface DracoModule {
  Decoder: new () => DracoDecoder;
  _malloc: (bytes: number) => number;
}

interface DracoDecoder {
  DecodeBufferToMesh: (buffer: unknown, mesh: DracoMesh) => unknown;
  GetAttributeByUniqueId: (mesh: unknown, id: number) => { ptr: number };
}

interface DracoMesh {
  num_points: () => number;
  num_faces: () => number;
}

/** Memory of a decoded point and a decoded face in the decoder. */
const POINT_BYTES = 24;
const FACE_BYTES = 24;

/** Returns the module with a decoder that keeps to the budget. */
export function guardDraco(module: unknown, budget: ReadBudget): unknown {
  const draco = module as DracoModule;
  /** Creates a decoder; used as a constructor. */
  function createDecoder(): DracoDecoder {
    const decoder = new draco.Decoder();
    const decode = decoder.DecodeBufferToMesh.bind(decoder);
    const find = decoder.GetAttributeByUniqueId.bind(decoder);
    decoder.DecodeBufferToMesh = (buffer, mesh) => {
      const status = decode(buffer, mesh);
      const [points, faces] = [mesh.num_points(), mesh.num_faces()];
      spend(
        budget,
        POINT_BYTES * points + FACE_BYTES * faces,
        `a Draco mesh of ${points} vertices and ${faces} triangles`,
      );
      return status;
    };
    decoder.GetAttributeByUniqueId = (mesh, id) => {
      const attribute = find(mesh, id);
      if (attribute.ptr !== 0) return attribute;
      throw new InputError(`${budget.file}: damaged glTF: a Draco mesh has no attribute ${id}; export it again`);
    };
    return decoder;
  }
  return Object.create(draco as object, {
    Decoder: { value: createDecoder },
    _malloc: {
      value: (bytes: number): number => {
        spend(budget, 2 * bytes, 'a decoded Draco mesh');
        const at = draco._malloc(bytes);
        if (at !== 0 || bytes === 0) return at;
        throw new InputError(`${budget.file}: a decoded Draco mesh takes more memory than there is; split the level`);
      },
    },
  });
}
