/** Finds the buffers of a record, so that a message can transfer them without a copy. */

export function transferablesOf(record: object): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (value instanceof ArrayBuffer) found.add(value);
    else if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(record);
  return [...found];
}

/** Returns whether memory is shared. It cannot be transferred. */
export function isShared(buffer: ArrayBuffer): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && (buffer as unknown) instanceof SharedArrayBuffer;
}
