import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { D1_RULES, OBJECT_RULES, PORTAL_RULES, R2_RULES } from '../../../../provider/accounts/deletion/table-rules.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { readDurableObjectClasses, dumpObject, listDatabaseTables } from '../../../support/stored.ts'

let deployment: TestDeployment
let env: Env
beforeAll(async () => {
  deployment = await openTestDeployment()
  env = (await deployment.provider.getWorker().getEnv()) as Env
})
afterAll(() => deployment.close())

test('every database table has a deletion rule, and each rule changes only its own table', async () => {
  const tables = await listDatabaseTables(env)
  expect(tables.length).toBeGreaterThan(20)
  expect(Object.keys(D1_RULES).sort()).toEqual(tables)
  for (const [table, rule] of Object.entries(D1_RULES))
    for (const sql of 'goes' in rule ? rule.goes : [])
      expect(sql).toMatch(new RegExp(`^(DELETE FROM|UPDATE) ${table} `))
})

test('no table with an account column stays unchanged, except accounts (deleted last) and stripe_customers (random id)', async () => {
  const { results } = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all<{
    name: string
    sql: string
  }>()
  const accountTables = results.filter(({ sql }) =>
    /\b(user_id|account|account_id|emails?|home_id|device_id) TEXT/.test(sql),
  )
  expect(accountTables.length).toBeGreaterThan(15)
  expect(accountTables.filter(({ name }) => !('goes' in (D1_RULES[name] ?? {}))).map(({ name }) => name)).toEqual([
    'accounts',
    'stripe_customers',
  ])
})

test('every Durable Object class of both Workers has a deletion rule', () => {
  const classes = Object.values(readDurableObjectClasses('provider/wrangler.toml'))
  expect(classes.length).toBeGreaterThan(7)
  expect(Object.keys(OBJECT_RULES).sort()).toEqual(classes.sort())
  expect(Object.keys(PORTAL_RULES).sort()).toEqual(Object.values(readDurableObjectClasses('wrangler.toml')).sort())
})

/**
 * Calls that make a Durable Object create its tables, by binding. Classes that create their tables on start need no
 * call.
 */
const CREATE_TABLES: Readonly<Record<string, (env: Env) => Promise<unknown>>> = {
  INSIGHTS: ({ INSIGHTS }) =>
    INSIGHTS.getByName('one').storeEvents({ name: 'one', day: Date.now(), shard: 0, shards: 1, sample_rate: 1 }, []),
  GUARDS: async ({ GUARDS }) => {
    await GUARDS.getByName('one').countAttempt('try', 1, 60_000, Date.now())
    await GUARDS.getByName('one').consumeNonce('1', Date.now(), Date.now())
  },
  ACTIVITY: ({ ACTIVITY }) => ACTIVITY.getByName('one').add({ kind: 'sign-in', who: null }, null, Date.now()),
  LEAVES: ({ LEAVES }) =>
    LEAVES.getByName('one').scheduleCheck({ userId: 'one', email: 'one@example.com' }, Date.now() + 60_000),
}

test.each(Object.entries(readDurableObjectClasses('provider/wrangler.toml')))(
  'every table of %s is listed in the deletion rule of %s',
  async (binding, name) => {
    await CREATE_TABLES[binding]?.(env)
    const rule = OBJECT_RULES[name] ?? { what: 'whole', clearedTables: [], unchangedTables: [] }
    const tables = Object.keys(await dumpObject(deployment, binding, 'one'))
    expect([name, tables.length > 0]).toEqual([name, rule.what !== 'itself'])
    expect([...rule.unchangedTables, ...rule.clearedTables].sort()).toEqual(tables.sort())
  },
)

test('every prefix of a stored object has a deletion rule', () => {
  const keys = readFileSync(new URL('../../../../provider/platform/media-urls/object-keys.ts', import.meta.url), 'utf8')
  const prefixes = [...keys.matchAll(/[`'](\w+\/)(?=\$\{homeId\}\/`|')/g)].map(([, prefix = '']) => prefix)
  expect(prefixes.sort()).toEqual(Object.keys(R2_RULES).sort())
})
