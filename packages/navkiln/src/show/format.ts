/** Formats numbers for reports, pictures and explanations. */

/** Returns a whole number with commas: 12345 becomes '12,345'. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns text with the characters escaped that XML reserves. */
export function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
