/** The parts of Draco's decoder that are used. */

export interface DracoModule {
  Decoder: new () => DracoDecoder;
  DecoderBuffer: new () => { Init: (bytes: Uint8Array, length: number) => void };
  Mesh: new () => DracoMesh;
  destroy: (object: object) => void;
  _malloc: (bytes: number) => number;
  _free: (at: number) => void;
  HEAPF32: Float32Array;
  TRIANGULAR_MESH: unknown;
  DT_INT8: unknown;
  DT_UINT8: unknown;
  DT_INT16: unknown;
  DT_UINT16: unknown;
  DT_UINT32: unknown;
  DT_FLOAT32: unknown;
}

export interface DracoDecoder {
  GetEncodedGeometryType: (buffer: object) => unknown;
  DecodeBufferToMesh: (buffer: object, mesh: DracoMesh) => { ok: () => boolean };
  GetAttributeByUniqueId: (mesh: DracoMesh, id: number) => DracoAttribute;
  GetAttributeDataArrayForAllPoints: (
    mesh: DracoMesh,
    attribute: DracoAttribute,
    type: unknown,
    bytes: number,
    at: number,
  ) => void;
  GetTrianglesUInt32Array: (mesh: DracoMesh, bytes: number, at: number) => void;
}

export interface DracoMesh {
  num_points: () => number;
  num_faces: () => number;
}

export interface DracoAttribute {
  ptr: number;
  num_components: () => number;
}
