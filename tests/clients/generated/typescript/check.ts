// Shared by the programs.
export const URL = process.env["SERVICE_URL"] ?? "";
export const KEY = process.env["SERVICE_KEY"] ?? "";
export const TITLE = process.env["DEAL_TITLE"] ?? "";

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) {
    throw new Error(`failed: ${what}`);
  }
}
