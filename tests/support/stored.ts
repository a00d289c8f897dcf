import { readFileSync } from 'node:fs'
import type { Env } from '../../provider/env.ts'
import type { Stage } from './harness.ts'

type Row = Record<string, unknown>
/** Rows as text, by table. */
export type Dump = Readonly<Record<string, readonly string[]>>

/** The runtime's own, those of `provider/platform/migrate-schema.ts` and of D1, and what an index of FTS5 is made of. */
const OURS = (name: string) =>
  !/^(_cf_|__miniflare|sqlite_|d1_migrations$|schema_version$|search_index_|search_words$)/.test(name)
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"

export async function tablesOfDatabase({ DB }: Env): Promise<string[]> {
  const { results } = await DB.prepare(TABLES).all<{ name: string }>()
  return results.map(({ name }) => name).filter(OURS)
}

export async function dumpDatabase(env: Env): Promise<Dump> {
  const rows = async (name: string) => {
    const { results } = await env.DB.prepare(`SELECT * FROM ${name}`).all<Row>()
    return [name, results.map((row) => JSON.stringify(row)).sort()] as const
  }
  return Object.fromEntries(await Promise.all((await tablesOfDatabase(env)).map(rows)))
}

/** An object's tables with their rows, by the name of its binding. */
export async function dumpObject(stage: Stage, binding: string, name: string): Promise<Dump> {
  const storage = await stage.provider.getWorker().getDurableObjectStorage(binding, { name })
  const tables = (await storage.exec(TABLES)) as unknown as { name: string }[]
  const dump: Record<string, string[]> = {}
  for (const table of tables.map((row) => row.name).filter(OURS))
    dump[table] = ((await storage.exec(`SELECT * FROM ${table}`)) as unknown as Row[]).map((row) => JSON.stringify(row))
  return dump
}

export async function objectKeys({ MEDIA }: Env, prefix = ''): Promise<string[]> {
  return (await MEDIA.list({ prefix })).objects.map(({ key }) => key).sort()
}

/** Classes of Durable Objects by their bindings, as a Worker's wrangler.toml names them. */
export function classesIn(path: string): Readonly<Record<string, string>> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const found = text.matchAll(/\[\[durable_objects\.bindings\]\]\s+name = "(\w+)"\s+class_name = "(\w+)"/g)
  return Object.fromEntries([...found].map(([, binding = '', name = '']) => [binding, name]))
}

/** What is kept of a bridge that was removed, so that its key enrols it nowhere else. */
export const isTombstone = (row: string): boolean => /^\{"bridge_id":"\w+","key_hash":"","name":"",/.test(row)
