/** One wrong line and the tests that must detect it. */
export interface Mutant {
  readonly id: string
  readonly fault: string
  readonly file: string
  /** Text to replace; occurs in the file exactly once. */
  readonly find: string
  readonly replacement: string
  /** Test files to run; at least one test must fail. */
  readonly tests: readonly string[]
}

/** Applies the mutant to the text. Returns a problem unless the text to replace occurs exactly once. */
export function mutate(text: string, { id, file, find, replacement }: Mutant): { text: string } | { problem: string } {
  const matchCount = text.split(find).length - 1
  if (matchCount === 1) return { text: text.replace(find, () => replacement) }
  const found = matchCount === 0 ? 'is not found' : `is found ${matchCount} times`
  return { problem: `${id}: the text that it replaces ${found} in ${file}: ${find}` }
}

type MutantRow = readonly [id: string, fault: string, find: string, replacement: string]

export const createMutants = (file: string, tests: readonly string[], rows: readonly MutantRow[]): Mutant[] =>
  rows.map(([id, fault, find, replacement]) => ({ id, fault, file, find, replacement, tests }))
