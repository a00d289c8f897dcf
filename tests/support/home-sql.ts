import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlStorage } from '@cloudflare/workers-types'
import { HOME_SCHEMA } from '../../provider/homes/home-schema.ts'

interface HomeSql {
  readonly sql: SqlStorage
  transaction(work: () => void): void
  runScript(text: string): void
}

/**
 * Opens an empty home database in Node's SQLite, with the interface of a Durable Object's storage. `steps`: number of
 * schema steps to apply.
 */
export function openHomeSql(steps = HOME_SCHEMA.length): HomeSql {
  const db = new DatabaseSync(':memory:')
  for (const step of HOME_SCHEMA.slice(0, steps)) db.exec(step)
  const statements = new Map<string, StatementSync>()
  const exec = (text: string, ...values: (string | number | null)[]) => {
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    const rows = statement.all(...values)
    return { toArray: () => rows, one: () => rows[0], rowsWritten: 1 }
  }
  const transaction = (work: () => void) => {
    db.exec('BEGIN')
    work()
    db.exec('COMMIT')
  }
  return { sql: { exec } as unknown as SqlStorage, transaction, runScript: (text) => db.exec(text) }
}

/**
 * Runs `insert` on a home of an earlier version. Provides the columns of later steps, because the provider's statements
 * name them, and removes these columns afterwards.
 */
export function insertIntoEarlierHome({ sql, runScript }: Omit<HomeSql, 'transaction'>, insert: () => void): void {
  const stored = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('events')").toArray()
  const columns = ['thumb_at', 'thumb_bytes', 'thumb_jpeg'].filter((name) => !stored.some((row) => row.name === name))
  for (const column of columns) runScript(`ALTER TABLE events ADD COLUMN ${column}`)
  insert()
  for (const column of columns) runScript(`ALTER TABLE events DROP COLUMN ${column}`)
}
