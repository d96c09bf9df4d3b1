/** Writes values as literals of TypeScript, on one line where they are short. */

const LINE = 100;
const NAME = /^[a-z_$][\w$]*$/i;

const CODE = Symbol('code');

/** A name in the program, or a call with a list. */
interface Code {
  [CODE]: string;
  list?: readonly unknown[];
}

/** Returns a value that `literal` writes as a name, or as a call with a list. */
export function codeOf(name: string, list?: readonly unknown[]): Code {
  return { [CODE]: name, ...(list === undefined ? {} : { list }) };
}

/** Writes plain data. Keys without a value are left out, and numbers have at most six digits after the point. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'number') return String(Number(value.toFixed(6)) + 0);
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (CODE in value) {
    const { [CODE]: name, list } = value as Code;
    return list === undefined ? name : `${name}(${literal(list, indent)})`;
  }
  const isList = Array.isArray(value);
  const parts = (inner: string): string[] =>
    isList
      ? value.map((item) => literal(item, inner))
      : Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([key, item]) => `${NAME.test(key) ? key : literal(key)}: ${literal(item, inner)}`);
  const flat = parts(indent).join(', ');
  if (!flat.includes('\n') && flat.length + indent.length < LINE)
    return isList ? `[${flat}]` : flat === '' ? '{}' : `{ ${flat} }`;
  const inner = `${indent}  `;
  const lines = parts(inner).map((part) => `\n${inner}${part},`);
  return isList ? `[${lines.join('')}\n${indent}]` : `{${lines.join('')}\n${indent}}`;
}
