import type { Level, TestResult } from './reports.ts'

/** One row of the requirements ledger. */
export interface Row {
  readonly id: string
  readonly area: string
  /** Levels that prove the row: the first words of its last column. */
  readonly levels: readonly Level[]
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
    .map(({ id, area, how }) => ({ id, area, levels: levelsOf(how) }))
}

/** `unit: fake clock; browser` names two levels, each of which proves the row. */
function levelsOf(how: string): Level[] {
  const names = how.split(';').map((part) => part.trim().split(/[\s:(]/)[0] ?? '')
  return names.filter((name): name is Level => ['unit', 'http', 'browser', 'build'].includes(name))
}

/** Which rows passed tests prove. A browser or http test proves a unit row too: it shows more, not less. */
export function prove(rows: readonly Row[], results: readonly TestResult[]): Proof {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const proven = new Set<string>()
  const refused: string[] = []
  for (const { title, level, passed } of results) {
    const ids = (title.match(ID) ?? []).filter(
      (id) => !id.startsWith('OPEN-') && !id.startsWith('SHA-') && !id.startsWith('H-'),
    )
    if (ids.length > MAX_IDS || ids.some((id) => !byId.has(id))) {
      refused.push(title)
      continue
    }
    if (passed) for (const id of ids) if (suffices(byId.get(id), level)) proven.add(id)
  }
  return { proven: rows.filter((row) => proven.has(row.id)), open: rows.filter((row) => !proven.has(row.id)), refused }
}

const STRENGTH: Record<Level, number> = { build: 0, unit: 1, http: 2, browser: 3 }

function suffices(row: Row | undefined, level: Level): boolean {
  if (!row) return false
  if (row.levels.length === 0 || row.levels.includes(level)) return true
  return row.levels.some((wanted) => wanted !== 'build' && STRENGTH[level] > STRENGTH[wanted])
}

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
