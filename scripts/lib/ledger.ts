import { RULE_ROWS } from '../../contract/all-calls.ts'
import type { Level } from './reports.ts'

export interface TestResult {
  readonly title: string
  readonly level: Level
  readonly passed: boolean
}

export interface RequirementRow {
  readonly id: string
  readonly area: string
  /** Required groups of levels: a passed test must prove at least one level of each group. */
  readonly wants: readonly (readonly Level[])[]
}

export interface RequirementProof {
  readonly proven: readonly RequirementRow[]
  readonly open: readonly RequirementRow[]
  /** Rejected titles: they name too many ids, or an id without a row. */
  readonly refused: readonly string[]
}

const ID = /\b[A-Z]+-\d{2,3}\b/g
const MAX_IDS = 3

/** Returns the rows of docs/requirements.md without the open points. */
export function parseLedger(markdown: string): RequirementRow[] {
  return [...markdown.matchAll(/^\| ([A-Z]+-\d+) \|(.*)\|\s*$/gm)]
    .map(([, id = '', rest = '']) => ({ id, area: id.split('-')[0] ?? '', how: rest.split('|').at(-1)?.trim() ?? '' }))
    .filter((row) => row.area !== 'OPEN')
    .map(({ id, area, how }) => ({ id, area, wants: requiredLevels(id, how) }))
}

/** Requirements for calls that only the edge makes, not a page (OPEN-136). */
const NO_PAGE: ReadonlySet<string> = new Set([...RULE_ROWS, 'CALL-01', 'CALL-16', 'CALL-19', 'CALL-20', 'CALL-21'])

/**
 * Returns the levels that a row requires: `unit: fake clock; browser` names two. A stronger level also counts for a
 * weaker one: unit and store, then http, then browser. `build` inspects files and counts only for itself. A call needs
 * a response at level http and a page that makes the call, which no provider test can show (OPEN-136).
 */
function requiredLevels(id: string, how: string): (readonly Level[])[] {
  if (id.startsWith('CALL-') && !NO_PAGE.has(id)) return [['http'], ['store', 'browser']]
  const names = how.split(';').map((part) => part.trim().split(/[\s:(]/)[0] ?? '')
  return names.map((name) => AT_LEAST[name]).filter((levels) => levels !== undefined)
}

/** Levels that satisfy a required level. */
const AT_LEAST: Readonly<Record<string, readonly Level[]>> = {
  unit: ['unit', 'store', 'http', 'browser'],
  http: ['http', 'browser'],
  browser: ['browser'],
  build: ['build'],
}

/** Returns the rows that passed tests prove: at least one test names the row, and every required level is covered. */
export function collectProof(rows: readonly RequirementRow[], results: readonly TestResult[]): RequirementProof {
  const provenLevels = new Map(rows.map((row) => [row.id, new Set<Level>()]))
  const rejected: string[] = []
  for (const { title, level, passed } of results) {
    const ids = (title.match(ID) ?? []).filter((id) => !NO_ROW.test(id))
    if (ids.length > MAX_IDS || ids.some((id) => !provenLevels.has(id))) rejected.push(title)
    else if (passed) for (const id of ids) provenLevels.get(id)?.add(level)
  }
  const isProven = ({ id, wants }: RequirementRow) => {
    const levels = provenLevels.get(id) ?? new Set<Level>()
    return levels.size > 0 && wants.every((group) => group.some((level) => levels.has(level)))
  }
  return { proven: rows.filter(isProven), open: rows.filter((row) => !isProven(row)), refused: rejected }
}

/** Prefixes of open points and of words that only look like an id. */
const NO_ROW = /^(OPEN|SHA|H)-/

/** Returns the number of proven rows and of all rows by area. */
export function byArea(
  rows: readonly RequirementRow[],
  proof: RequirementProof,
): Map<string, { proven: number; all: number }> {
  const table = new Map<string, { proven: number; all: number }>()
  const proven = new Set(proof.proven)
  for (const row of rows) {
    const entry = table.get(row.area) ?? { proven: 0, all: 0 }
    table.set(row.area, { proven: entry.proven + (proven.has(row) ? 1 : 0), all: entry.all + 1 })
  }
  return table
}
