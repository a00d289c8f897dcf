import { RULE_ROWS } from '../../contract/all-calls.ts'
import type { Level } from './reports.ts'

/** A test that ran, and the level at which it proves rows. */
export interface TestResult {
  readonly title: string
  readonly level: Level
  readonly passed: boolean
}

/** One row of the requirements ledger. */
export interface Row {
  readonly id: string
  readonly area: string
  /** What has to be shown, all of it: at least one of the levels of each group by a passed test. */
  readonly wants: readonly (readonly Level[])[]
}

export interface Proof {
  readonly proven: readonly Row[]
  readonly open: readonly Row[]
  /** Titles that do not count: too many ids, or an id that no row has. */
  readonly refused: readonly string[]
}

const ID = /\b[A-Z]+-\d{2,3}\b/g
const MAX_IDS = 3

/** The rows of docs/requirements.md, open points left out. */
export function parseLedger(markdown: string): Row[] {
  return [...markdown.matchAll(/^\| ([A-Z]+-\d+) \|(.*)\|\s*$/gm)]
    .map(([, id = '', rest = '']) => ({ id, area: id.split('-')[0] ?? '', how: rest.split('|').at(-1)?.trim() ?? '' }))
    .filter((row) => row.area !== 'OPEN')
    .map(({ id, area, how }) => ({ id, area, wants: requiredLevels(id, how) }))
}

/** Calls that no page makes: the edge does, on its own (OPEN-136). */
const NO_PAGE: ReadonlySet<string> = new Set([...RULE_ROWS, 'CALL-01', 'CALL-16', 'CALL-19', 'CALL-20', 'CALL-21'])

/**
 * `unit: fake clock; browser` names two levels, and each is wanted. A test at a stronger level counts for a weaker one, since
 * it shows more, not less: unit and store, then http, then browser. So the strongest level that a row names is what it takes,
 * and `build`, which looks at files instead, stands by itself. A call wants its answer at level http and a page that makes it,
 * which no provider test can show (OPEN-136).
 */
function requiredLevels(id: string, how: string): (readonly Level[])[] {
  if (id.startsWith('CALL-') && !NO_PAGE.has(id)) return [['http'], ['store', 'browser']]
  const names = how.split(';').map((part) => part.trim().split(/[\s:(]/)[0] ?? '')
  return names.map((name) => AT_LEAST[name]).filter((levels) => levels !== undefined)
}

/** The levels that show what a row of this level wants. */
const AT_LEAST: Readonly<Record<string, readonly Level[]>> = {
  unit: ['unit', 'store', 'http', 'browser'],
  http: ['http', 'browser'],
  browser: ['browser'],
  build: ['build'],
}

/** Which rows passed tests prove: those of which every wanted level is shown, and at least one test names them. */
export function collectProof(rows: readonly Row[], results: readonly TestResult[]): Proof {
  const provenLevels = new Map(rows.map((row) => [row.id, new Set<Level>()]))
  const rejected: string[] = []
  for (const { title, level, passed } of results) {
    const ids = (title.match(ID) ?? []).filter((id) => !NO_ROW.test(id))
    if (ids.length > MAX_IDS || ids.some((id) => !provenLevels.has(id))) rejected.push(title)
    else if (passed) for (const id of ids) provenLevels.get(id)?.add(level)
  }
  const isProven = ({ id, wants }: Row) => {
    const levels = provenLevels.get(id) ?? new Set<Level>()
    return levels.size > 0 && wants.every((group) => group.some((level) => levels.has(level)))
  }
  return { proven: rows.filter(isProven), open: rows.filter((row) => !isProven(row)), refused: rejected }
}

/** Open points, and words that look like an id. */
const NO_ROW = /^(OPEN|SHA|H)-/

/** Area → how many rows are proven of how many. */
export function byArea(rows: readonly Row[], proof: Proof): Map<string, { proven: number; all: number }> {
  const table = new Map<string, { proven: number; all: number }>()
  const proven = new Set(proof.proven)
  for (const row of rows) {
    const entry = table.get(row.area) ?? { proven: 0, all: 0 }
    table.set(row.area, { proven: entry.proven + (proven.has(row) ? 1 : 0), all: entry.all + 1 })
  }
  return table
}
