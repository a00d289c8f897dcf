import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import type { Env } from '../../provider/env.ts'

/** Matches statements that can change the rights of accounts. */
const RIGHTS_WRITE_PATTERN =
  /\b(INTO|UPDATE|FROM)\s+(oidc|accounts|homes|home_members|shares|devices|subscriptions|bindings)\b/i
const WRITE_PATTERN = /^\s*(INSERT|UPDATE|DELETE|REPLACE)\b/i

const changesRights = (sql: string) => WRITE_PATTERN.test(sql) && RIGHTS_WRITE_PATTERN.test(sql)

/**
 * Returns the provider's bindings with a `DB` that empties the caches of all accounts after a test has written rights to
 * D1. The provider itself only expects writes through `changeAccess`.
 */
export function createTestBindings(bindings: Env): Env {
  const { DB } = bindings
  const originals = new WeakMap<object, { statement: D1PreparedStatement; sql: string }>()

  async function runWrite<T>(sqlTexts: readonly string[], write: () => Promise<T>): Promise<T> {
    const isRightsChange = sqlTexts.some(changesRights)
    const before = isRightsChange ? await listAccountIds(DB) : []
    const result = await write()
    const after = isRightsChange ? await listAccountIds(DB) : []
    await Promise.all(
      [...new Set([...before, ...after])].map((id) => bindings.GUARDS.getByName(id).endChange('direct write')),
    )
    return result
  }

  function wrapStatement(statement: D1PreparedStatement, sql: string): D1PreparedStatement {
    const run = <T>(execute: () => Promise<T>) => runWrite([sql], execute)
    const wrapped = {
      bind: (...values: unknown[]) => wrapStatement(statement.bind(...values), sql),
      run: () => run(() => statement.run()),
      all: () => run(() => statement.all()),
      raw: (...args: []) => run(() => statement.raw(...args)),
      first: (...args: []) => run(() => statement.first(...args)),
    } as unknown as D1PreparedStatement
    originals.set(wrapped, { statement, sql })
    return wrapped
  }

  const testDatabase = {
    prepare: (sql: string) => wrapStatement(DB.prepare(sql), sql),
    batch: (statements: D1PreparedStatement[]) => {
      const all = statements.map((wrapped) => originals.get(wrapped) ?? { statement: wrapped, sql: '' })
      return runWrite(
        all.map(({ sql }) => sql),
        () => DB.batch(all.map(({ statement }) => statement)),
      )
    },
    exec: (sql: string) => runWrite([sql], () => DB.exec(sql)),
  } as unknown as D1Database
  return { ...bindings, DB: testDatabase }
}

async function listAccountIds(db: D1Database): Promise<string[]> {
  return (await db.prepare('SELECT user_id FROM accounts').all<{ user_id: string }>()).results.map(
    ({ user_id }) => user_id,
  )
}
