/** Buffers of a record of typed arrays, for handing them over without a copy. */

export function transferablesOf(record: object): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(record);
  return [...found];
}

/** Memory that several threads see cannot be handed over. */
export function isShared(buffer: ArrayBuffer): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && (buffer as unknown) instanceof SharedArrayBuffer;
}
