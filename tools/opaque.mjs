/**
 * Declarations as users see them: an interface with the tag `@opaque` shows only the members that the tag names. The other members are for the
 * library itself, which compiles with all of them, so opaque types cost nothing at run time.
 *
 *     @opaque agent, cellSize       the members that users see; without names, none
 *     @whole                        on `type Whole = Opaque`: all members of an opaque interface of the same file
 *
 * In: the text of a declaration file that tsc wrote. Out: the text with fewer members. Based on: own.
 */

const OPAQUE =
  /(\/\*\*(?:(?!\*\/)[\s\S])*?)@opaque\b((?:(?!\*\/)[\s\S])*)\*\/\s*(export interface (\w+)[^\n]*\{\n)([\s\S]*?)^\}/gm;
const WHOLE = /(\/\*\*(?:(?!\*\/)[\s\S])*?)@whole\s*\*\/\s*export type (\w+) = (\w+);/g;
/** A comment and the member after it, which ends with a semicolon at its own indentation. */
const MEMBER =
  /(?: {4}\/\*\*[\s\S]*?\*\/\n)? {4}(?:readonly )?(\w+)\??:(?:[^\n]*;\n|[^\n]*\n(?: {5,}[^\n]*\n)* {4}\S[^\n]*;\n)/g;

const closed = (comment) => `${comment.replace(/[\s*]*$/, '')}${comment.includes('\n') ? '\n */' : ' */'}`;

/**
 * Returns a declaration file without the members that its opaque interfaces hide. `isReport` is for readers: without
 * brands, and without hidden members in whole types.
 */
export function narrow(text, { isReport = false } = {}) {
  const hidden = new Map();
  const short = text.replace(OPAQUE, (_, comment, tag, head, name, body) => {
    const shown = new Set(tag.match(/\w+/g));
    const members = [...body.matchAll(MEMBER)];
    if (members.map(([member]) => member).join('') !== body) throw new Error(`${name}: a member is not understood`);
    const known = new Set(members.map(([, member]) => member));
    for (const member of shown) if (!known.has(member)) throw new Error(`${name} has no member ${member} to show`);
    const textOf = (isShown) =>
      members
        .filter(([, member]) => shown.has(member) === isShown)
        .map(([member]) => member)
        .join('');
    hidden.set(name, textOf(false));
    const start = `${closed(comment)}\n${head}${textOf(true)}`;
    // No other record has the brand, so that a type with few members does not accept any record.
    const brand = `opaque${name}`;
    return isReport
      ? `${start}}`
      : `declare const ${brand}: unique symbol;\n${start}    readonly [${brand}]: never;\n}`;
  });
  return short.replace(WHOLE, (_, comment, name, from) => {
    if (!hidden.has(from)) throw new Error(`${name}: ${from} is no opaque interface of the same file`);
    return `${closed(comment)}\nexport interface ${name} extends ${from} {\n${isReport ? '' : hidden.get(from)}}`;
  });
}
