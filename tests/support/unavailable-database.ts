import type { Env } from '../../provider/env.ts'
import { listDatabaseTables } from './stored.ts'

/**
 * Runs `act` while every table of D1 has another name, so that each statement of the provider fails. Work that succeeds
 * meanwhile reads nothing from D1.
 */
export async function withoutDatabase<T>(env: Env, act: () => Promise<T>): Promise<T> {
  const tables = await listDatabaseTables(env)
  const rename = (from: (name: string) => string, to: (name: string) => string) =>
    env.DB.batch(tables.map((name) => env.DB.prepare(`ALTER TABLE ${from(name)} RENAME TO ${to(name)}`)))
  const hide = (name: string) => `hidden_${name}`
  const same = (name: string) => name
  await rename(same, hide)
  try {
    return await act()
  } finally {
    await rename(hide, same)
  }
}
