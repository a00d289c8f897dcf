import { RULE_ROWS } from '../../contract/all-calls.ts'
import type { TestLevel } from './reports.ts'

export interface TestResult {
  readonly title: string
  readonly level: TestLevel
  readonly passed: boolean
}

export interface RequirementRow {
  readonly id: string
  readonly area: string
  /** Groups of levels. Passed tests must cover at least one level of every group. */
  readonly wants: readonly (readonly TestLevel[])[]
}

export interface RequirementProof {
  readonly proven: readonly RequirementRow[]
  readonly open: readonly RequirementRow[]
  /** Rejected test titles, which name too many requirement ids or an id without a row. */
  readonly refused: readonly string[]
}

const REQUIREMENT_ID_PATTERN = /\b[A-Z]+-\d{2,3}\b/g
const MAX_IDS_PER_TITLE = 3

/** Returns the rows of docs/requirements.md, except rows with an `OPEN-` id. */
export function parseRequirementRows(markdown: string): RequirementRow[] {
  return [...markdown.matchAll(/^\| ([A-Z]+-\d+) \|(.*)\|\s*$/gm)]
    .map(([, id = '', rest = '']) => ({ id, area: id.split('-')[0] ?? '', how: rest.split('|').at(-1)?.trim() ?? '' }))
    .filter((row) => row.area !== 'OPEN')
    .map(({ id, area, how }) => ({ id, area, wants: listRequiredLevels(id, how) }))
}

/** Ids of `CALL` rows that need no proof that a page makes the call: rules, and calls that no page makes (OPEN-136). */
const CALLS_WITHOUT_PAGE: ReadonlySet<string> = new Set([
  ...RULE_ROWS,
  'CALL-01',
  'CALL-16',
  'CALL-19',
  'CALL-20',
  'CALL-21',
])

/**
 * Returns the levels that a row requires, such as two for `unit: fake clock; browser`. A `CALL` row outside of
 * `CALLS_WITHOUT_PAGE` requires an `http` test that proves the response, and a `store` or `browser` test that proves
 * that a page makes the call (OPEN-136).
 */
function listRequiredLevels(id: string, testText: string): (readonly TestLevel[])[] {
  if (id.startsWith('CALL-') && !CALLS_WITHOUT_PAGE.has(id)) return [['http'], ['store', 'browser']]
  const names = testText.split(';').map((part) => part.trim().split(/[\s:(]/)[0] ?? '')
  return names.map((name) => SATISFYING_LEVELS[name]).filter((levels) => levels !== undefined)
}

/** Levels that satisfy a required level: the level itself and every stronger one. No other level satisfies `build`. */
const SATISFYING_LEVELS: Readonly<Record<string, readonly TestLevel[]>> = {
  unit: ['unit', 'store', 'http', 'browser'],
  http: ['http', 'browser'],
  browser: ['browser'],
  build: ['build'],
}

/**
 * Splits the rows into proven and open rows. A row is proven if at least one passed test names it and the passed tests
 * cover every required level.
 */
export function collectProofs(rows: readonly RequirementRow[], results: readonly TestResult[]): RequirementProof {
  const provenLevels = new Map(rows.map((row) => [row.id, new Set<TestLevel>()]))
  const rejectedTitles: string[] = []
  for (const { title, level, passed } of results) {
    const ids = (title.match(REQUIREMENT_ID_PATTERN) ?? []).filter((id) => !ID_WITHOUT_ROW_PATTERN.test(id))
    if (ids.length > MAX_IDS_PER_TITLE || ids.some((id) => !provenLevels.has(id))) rejectedTitles.push(title)
    else if (passed) for (const id of ids) provenLevels.get(id)?.add(level)
  }
  const isProven = ({ id, wants }: RequirementRow) => {
    const levels = provenLevels.get(id) ?? new Set<TestLevel>()
    return levels.size > 0 && wants.every((group) => group.some((level) => levels.has(level)))
  }
  return { proven: rows.filter(isProven), open: rows.filter((row) => !isProven(row)), refused: rejectedTitles }
}

/** Matches ids of open points, and words such as `SHA-256` that only look like a row id. */
const ID_WITHOUT_ROW_PATTERN = /^(OPEN|SHA|H)-/

/** Returns the number of proven rows and of all rows by area. */
export function countByArea(
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
