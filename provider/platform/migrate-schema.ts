import type { SqlStorage } from '@cloudflare/workers-types'

/**
 * Migrates the SQLite database of a Durable Object. Runs each step once. Append new steps; never change released ones.
 * Returns the number of steps that had run before, 0 for a new object.
 */
export function migrateSchema(sql: SqlStorage, steps: readonly string[]): number {
  sql.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
  const row = sql.exec<{ version: number }>('SELECT coalesce(max(version), 0) AS version FROM schema_version').one()
  for (const [index, step] of steps.entries()) {
    if (index < row.version) continue
    sql.exec(step)
    sql.exec('INSERT INTO schema_version (version) VALUES (?)', index + 1)
  }
  return row.version
}
