/** Reads any zod schema: the keys that it allows at a path, and its JSON Schema. */
import { z } from 'zod';

/** Lists the keys that a schema allows at a path of its values. */
export function keysAt(schema: z.core.$ZodType, path: readonly (string | number)[]): string[] {
  let types: z.core.$ZodType[] = [schema];
  const open = (type: z.core.$ZodType): z.core.$ZodType[] => {
    if (type instanceof z.ZodOptional) return open(type.unwrap());
    if (type instanceof z.ZodUnion) return type.options.flatMap(open);
    return [type];
  };
  for (const part of path) {
    types = types.flatMap(open).flatMap((type) => {
      if (type instanceof z.ZodObject)
        return type.shape[part] === undefined ? [] : [type.shape[part] as z.core.$ZodType];
      return type instanceof z.ZodArray ? [type.element] : [];
    });
  }
  const keys = types.flatMap(open).flatMap((type) => (type instanceof z.ZodObject ? Object.keys(type.shape) : []));
  return [...new Set(keys)].filter((key) => key !== '$schema');
}

/** Returns a JSON Schema, without the metadata that only this program uses. */
export function jsonSchemaOf(from: z.core.$ZodType, title: string): Record<string, unknown> {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(
      ([key, inner]) =>
        key !== 'flag' && key !== 'unit' && key !== 'isWhole' && !(key === 'default' && typeof inner === 'string'),
    );
    return Object.fromEntries(entries.map(([key, inner]) => [key, strip(inner)]));
  };
  const schema = strip(z.toJSONSchema(from, { io: 'input' })) as Record<string, unknown>;
  return { ...schema, title };
}
