import { readFileSync } from 'node:fs'
import type { Env } from '../../provider/env.ts'
import type { TestDeployment } from './harness.ts'

type Row = Record<string, unknown>
/** Rows of each table as JSON text, by table name. */
export type StorageDump = Readonly<Record<string, readonly string[]>>

/**
 * Returns true for tables of the application. Excludes tables of the runtime, of `provider/platform/migrate-schema.ts`
 * and of D1, the shadow tables of FTS5 indexes, and `search_words`, a view of the indexed terms.
 */
const isApplicationTable = (name: string) =>
  !/^(_cf_|__miniflare|sqlite_|d1_migrations$|schema_version$|search_index_|search_words$)/.test(name)
const LIST_TABLES_SQL = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"

export async function listDatabaseTables({ DB }: Env): Promise<string[]> {
  const { results } = await DB.prepare(LIST_TABLES_SQL).all<{ name: string }>()
  return results.map(({ name }) => name).filter(isApplicationTable)
}

export async function dumpDatabase(env: Env): Promise<StorageDump> {
  const dumpTable = async (name: string) => {
    const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all<Row>()
    return [name, results.map((row) => JSON.stringify(row)).sort()] as const
  }
  return Object.fromEntries(await Promise.all((await listDatabaseTables(env)).map(dumpTable)))
}

export async function dumpObject(deployment: TestDeployment, binding: string, name: string): Promise<StorageDump> {
  const storage = await deployment.provider.getWorker().getDurableObjectStorage(binding, { name })
  const tables = (await storage.exec(LIST_TABLES_SQL)) as unknown as { name: string }[]
  const dump: Record<string, string[]> = {}
  for (const table of tables.map((row) => row.name).filter(isApplicationTable))
    dump[table] = ((await storage.exec(`SELECT * FROM ${table}`)) as unknown as Row[]).map((row) => JSON.stringify(row))
  return dump
}

export async function listMediaKeys({ MEDIA }: Env, prefix = ''): Promise<string[]> {
  return (await MEDIA.list({ prefix })).objects.map(({ key }) => key).sort()
}

export function readDurableObjectClasses(path: string): Readonly<Record<string, string>> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const found = text.matchAll(/\[\[durable_objects\.bindings\]\]\s+name = "(\w+)"\s+class_name = "(\w+)"/g)
  return Object.fromEntries([...found].map(([, binding = '', name = '']) => [binding, name]))
}

/** Returns true if the row (JSON text) is a bridge whose key hash and name an account deletion has erased. */
export const isRevokedBridgeRow = (row: string): boolean => /^\{"bridge_id":"\w+","key_hash":"","name":"",/.test(row)
