import type { Context, Hono } from 'hono'
import type { InferOutput } from 'valibot'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import type { booksPage } from '../../../contract/operator/reconciliation.ts'
import { ownedCamerasSql } from '../../homes/members/owned-cameras.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import type { AppEnv, Env } from '../../env.ts'
import { PROJECTED } from '../ledger/reconciliation-snapshot.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import { findMismatches, type Projected } from './find-mismatches.ts'

const PAGE = 50

interface Listed {
  readonly user_id: string
  readonly email: string
}

/** Mounts the operator's reconciliation calls (`npm run reconcile`). */
export function bookRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.books, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    const reports = []
    for (const account of accounts) reports.push(await compared(c.env, account, Date.now()))
    return c.json({ code: 200, data: { accounts: reports, next } })
  })

  app.post(`${ADMIN_PATHS.books}/rebuild`, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    for (const { user_id } of accounts) await rebuild(c.env, user_id, Date.now())
    return c.json({ code: 200, data: { accounts: accounts.length, next } })
  })

  app.post(`${ADMIN_PATHS.books}/open`, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    for (const { user_id } of accounts) await c.env.LEDGERS.getByName(user_id).due(Date.now())
    return c.json({ code: 200, data: { accounts: accounts.length, next } })
  })
}

async function readAccountPage(c: Context<AppEnv>): Promise<{ accounts: Listed[]; next: string | null }> {
  const { results } = await c.env.DB.prepare(
    `SELECT user_id, email FROM accounts WHERE user_id > ? ORDER BY user_id LIMIT ${PAGE}`,
  )
    .bind(c.req.query('after') ?? '')
    .all<Listed>()
  return { accounts: results, next: results.length < PAGE ? null : (results.at(-1)?.user_id ?? null) }
}

type Compared = InferOutput<typeof booksPage>['data']['accounts'][number]

async function compared(env: Env, { user_id, email }: Listed, now: number): Promise<Compared> {
  const ledger = env.LEDGERS.getByName(user_id)
  // Delivers pending messages first, so that they are not reported as mismatches.
  await ledger.due(now)
  const [audit, charges, projected] = await Promise.all([
    ledger.audit(now),
    selectGateway(env)?.charges(user_id) ?? [],
    readProjection(env, user_id),
  ])
  const cents = charges.reduce((sum, charge) => sum + charge.cents, 0)
  const { currency } = audit
  const differences = findMismatches(audit, charges, projected)
  return { user_id, email, charges: charges.length, cents, currency, differences }
}

async function readProjection(env: Env, userId: string): Promise<Projected> {
  const [subscriptions, bindings, cameras] = await env.DB.batch<unknown>([
    env.DB.prepare(`SELECT ${PROJECTED.join(', ')} FROM subscriptions WHERE user_id = ?`).bind(userId),
    env.DB.prepare(
      'SELECT device_id, subscription_id FROM bindings JOIN subscriptions USING (subscription_id) WHERE user_id = ?',
    ).bind(userId),
    env.DB.prepare(ownedCamerasSql('?1')).bind(userId),
  ])
  return {
    subscriptions: (subscriptions?.results ?? []) as Projected['subscriptions'],
    bindings: (bindings?.results ?? []) as Projected['bindings'],
    cameras: new Set(((cameras?.results ?? []) as { device_id: string }[]).map(({ device_id }) => device_id)),
  }
}

/** Rebuilds the account's D1 rows: deletes subscriptions that the ledger does not have, and writes all others again. */
async function rebuild(env: Env, userId: string, now: number): Promise<void> {
  const ledger = env.LEDGERS.getByName(userId)
  const { subscriptions } = await ledger.audit(now)
  const ledgerIds = JSON.stringify(subscriptions.map((row) => row['subscription_id']))
  await env.DB.prepare(
    'DELETE FROM subscriptions WHERE user_id = ? AND subscription_id NOT IN (SELECT value FROM json_each(?))',
  )
    .bind(userId, ledgerIds)
    .run()
  await ledger.rebuild(now)
}
