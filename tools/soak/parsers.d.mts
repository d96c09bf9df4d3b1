/** What tests use of parsers.mjs. */
export interface Parser {
  name: string;
}
export function listParsers(): Promise<Parser[]>;
export function tryInput(parser: Parser, seed: number): Promise<{ outcome: string; failure: string | undefined }>;
