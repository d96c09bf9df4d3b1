/**
 * Lists the fields of the configuration schema: for flags of the command line, for panels of settings, for
 * messages.
 */
import { z } from 'zod';
import { jsonSchemaOf, keysAt } from './json-schema.ts';
import { configSchema } from './schema.ts';
import type { FieldMeta, FieldUnit } from './schema.ts';

/** An option of the command line, made from a field of the schema. */
export interface FieldFlag {
  /** Name with two dashes. */
  flag: string;
  /** Path in the configuration. */
  path: readonly string[];
  /** A list is written with commas. */
  kind: 'number' | 'bytes' | 'choice' | 'boolean' | 'list';
  choices: readonly string[];
  limits: Limits;
  description: string;
}

/** The numbers that a field allows. */
export interface Limits {
  min: number | undefined;
  max: number | undefined;
  /** True when `min` itself is not allowed. */
  aboveMin: boolean;
  /** True when only whole numbers are allowed. */
  whole: boolean;
}

function limitsOf(type: z.core.$ZodType): Limits {
  if (!(type instanceof z.ZodNumber)) return { min: undefined, max: undefined, aboveMin: false, whole: false };
  const { minimum, exclusiveMinimum, maximum } = z.toJSONSchema(type) as Record<string, number | undefined>;
  return {
    min: exclusiveMinimum ?? minimum,
    max: maximum,
    aboveMin: exclusiveMinimum !== undefined,
    whole: type.format === 'safeint',
  };
}

/** Lists all fields without nested fields, in the schema's order. */
function leavesOf(
  schema: z.ZodObject,
  path: readonly string[] = [],
): { path: string[]; type: z.core.$ZodType; meta: FieldMeta }[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const type = field instanceof z.ZodOptional ? field.unwrap() : field;
    return type instanceof z.ZodObject && metaOf(field).isWhole !== true
      ? leavesOf(type, [...path, key])
      : [{ path: [...path, key], type, meta: metaOf(field) }];
  });
}

function kindOf(type: z.core.$ZodType): 'number' | 'boolean' | 'list' {
  if (type instanceof z.ZodArray) return 'list';
  return type instanceof z.ZodBoolean ? 'boolean' : 'number';
}

function choicesOf(type: z.core.$ZodType): string[] {
  return type instanceof z.ZodEnum ? type.options.map(String) : [];
}

/** Lists the flags of all fields that have one, in the schema's order. */
export function listFlags(): readonly FieldFlag[] {
  return (flags ??= makeFlags());
}

/** Made once: files with many keys ask for it once for each. */
let flags: readonly FieldFlag[] | undefined;

function makeFlags(): FieldFlag[] {
  return leavesOf(configSchema()).flatMap(
    ({ path, type, meta: { flag, unit, description = '', default: fallback } }): FieldFlag[] => {
      if (flag === undefined) return [];
      const choices = choicesOf(type);
      const suffix = fallback === undefined ? '' : ` (default: ${fallback})`;
      const kind = choices.length > 0 ? 'choice' : unit === 'bytes' ? 'bytes' : kindOf(type);
      return [{ flag, path, kind, choices, limits: limitsOf(type), description: `${description}${suffix}` }];
    },
  );
}

/** A setting with a single value: a number, a choice, or a boolean. */
export interface Field extends Limits {
  /** Path in the configuration. */
  path: readonly string[];
  kind: 'number' | 'choice' | 'boolean';
  choices: readonly string[];
  unit: FieldUnit | undefined;
  /** Default as text, not as a value. */
  default: string;
  description: string;
}

/** Lists all fields with a single value, in the schema's order. A settings panel is made from it. */
export function listFields(): Field[] {
  return leavesOf(configSchema()).flatMap(
    ({ path, type, meta: { unit, default: fallback = '', description = '' } }): Field[] => {
      const isNumber = type instanceof z.ZodNumber;
      const kind = isNumber
        ? 'number'
        : type instanceof z.ZodEnum
          ? 'choice'
          : type instanceof z.ZodBoolean
            ? 'boolean'
            : '';
      if (kind === '') return [];
      return [
        {
          path,
          kind,
          choices: choicesOf(type),
          ...limitsOf(type),
          unit,
          default: fallback,
          description,
        },
      ];
    },
  );
}

/** Lists the keys that a configuration allows at a path; none when the path is not a map. */
export function knownKeys(path: readonly (string | number)[]): string[] {
  return keysAt(configSchema(), path);
}

function metaOf(field: z.core.$ZodType): FieldMeta {
  return (z.globalRegistry.get(field) ?? {}) as FieldMeta;
}

/** Returns the JSON Schema of a configuration file. */
export function configJsonSchema(): Record<string, unknown> {
  return jsonSchemaOf(configSchema(), 'navkiln bake configuration');
}
