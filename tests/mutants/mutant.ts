/** One wrong line: what the tests named are there to notice. */
export interface Mutant {
  readonly id: string
  /** What would be wrong. */
  readonly says: string
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly put: string
  /** Test files of which one must fail. */
  readonly tests: readonly string[]
}

/** The text with the mutant in it; a sentence where the text that it replaces is not there exactly once. */
export function mutate(text: string, { id, file, find, put }: Mutant): { text: string } | { problem: string } {
  const places = text.split(find).length - 1
  if (places === 1) return { text: text.replace(find, () => put) }
  const found = places === 0 ? 'is not found' : `is found ${places} times`
  return { problem: `${id}: the text that it replaces ${found} in ${file}: ${find}` }
}

/** A mutant of a file: its id, what would be wrong, the text and its replacement. */
type Row = readonly [id: string, says: string, find: string, put: string]

/** Mutants of one file that the same tests notice. */
export const createMutants = (file: string, tests: readonly string[], rows: readonly Row[]): Mutant[] =>
  rows.map(([id, says, find, put]) => ({ id, says, file, find, put, tests }))
