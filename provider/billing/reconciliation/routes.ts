import type { Context, Hono } from 'hono'
import type { InferOutput } from 'valibot'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import type { reconciliationPage } from '../../../contract/operator/reconciliation.ts'
import { ownedCamerasSql } from '../../homes/members/owned-cameras.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { changeAccess, selectAccountsOfOwner } from '../../platform/auth/change-access.ts'
import type { AppEnv, Env } from '../../env.ts'
import { PROJECTED_COLUMNS } from '../ledger/reconciliation-snapshot.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import { findMismatches, type ProjectionRows } from './find-mismatches.ts'
import { settleRestoredAccount, type SettlementReport } from './settle-restored.ts'
import { getObject } from '../../platform/objects.ts'

const ACCOUNTS_PER_PAGE = 50

interface ListedAccount {
  readonly user_id: string
  readonly email: string
}

/** Mounts the operator's reconciliation calls (`npm run reconcile`). */
export function reconciliationRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.books, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    const reports = []
    for (const account of accounts) reports.push(await reconcileAccount(c.env, account, Date.now()))
    return c.json({ code: 200, data: { accounts: reports, next } })
  })

  app.post(`${ADMIN_PATHS.books}/rebuild`, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    for (const { user_id } of accounts) await rebuildProjection(c.env, user_id, Date.now())
    return c.json({ code: 200, data: { accounts: accounts.length, next } })
  })

  app.post(`${ADMIN_PATHS.books}/settle`, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    const settled: SettlementReport[] = []
    for (const account of accounts) {
      const isForced = c.req.query('release') === account.email
      const report = await settleRestoredAccount(c.env, account, isForced, Date.now())
      if (report !== null) settled.push(report)
    }
    return c.json({ code: 200, data: { settled, next } })
  })

  app.post(`${ADMIN_PATHS.books}/open`, requireOperator, async (c) => {
    const { accounts, next } = await readAccountPage(c)
    for (const { user_id } of accounts) await getObject(c.env, 'LEDGERS', user_id).processDue(Date.now())
    return c.json({ code: 200, data: { accounts: accounts.length, next } })
  })
}

async function readAccountPage(c: Context<AppEnv>): Promise<{ accounts: ListedAccount[]; next: string | null }> {
  const { results } = await c.env.DB.prepare(
    `SELECT user_id, email FROM accounts WHERE user_id > ? ORDER BY user_id LIMIT ${ACCOUNTS_PER_PAGE}`,
  )
    .bind(c.req.query('after') ?? '')
    .all<ListedAccount>()
  return { accounts: results, next: results.length < ACCOUNTS_PER_PAGE ? null : (results.at(-1)?.user_id ?? null) }
}

type AccountReport = InferOutput<typeof reconciliationPage>['data']['accounts'][number]

async function reconcileAccount(env: Env, { user_id, email }: ListedAccount, now: number): Promise<AccountReport> {
  const ledger = getObject(env, 'LEDGERS', user_id)
  // Deliver pending messages first, so that they are not reported as mismatches.
  await ledger.processDue(now)
  const [snapshot, charges, projected] = await Promise.all([
    ledger.createReconciliationSnapshot(now),
    selectGateway(env)?.charges(user_id) ?? [],
    readProjection(env, user_id),
  ])
  const cents = charges.reduce((sum, charge) => sum + charge.cents, 0)
  const { currency } = snapshot
  const differences = findMismatches(snapshot, charges, projected)
  return { user_id, email, charges: charges.length, cents, currency, differences }
}

async function readProjection(env: Env, userId: string): Promise<ProjectionRows> {
  const [subscriptions, bindings, cameras] = await env.DB.batch<unknown>([
    env.DB.prepare(`SELECT ${PROJECTED_COLUMNS.join(', ')} FROM subscriptions WHERE user_id = ?`).bind(userId),
    env.DB.prepare(
      'SELECT device_id, subscription_id FROM bindings JOIN subscriptions USING (subscription_id) WHERE user_id = ?',
    ).bind(userId),
    env.DB.prepare(ownedCamerasSql('?1')).bind(userId),
  ])
  return {
    subscriptions: (subscriptions?.results ?? []) as ProjectionRows['subscriptions'],
    bindings: (bindings?.results ?? []) as ProjectionRows['bindings'],
    cameras: new Set(((cameras?.results ?? []) as { device_id: string }[]).map(({ device_id }) => device_id)),
  }
}

async function rebuildProjection(env: Env, userId: string, now: number): Promise<void> {
  const ledger = getObject(env, 'LEDGERS', userId)
  const { subscriptions } = await ledger.createReconciliationSnapshot(now)
  const ledgerIds = JSON.stringify(subscriptions.map((row) => row['subscription_id']))
  const statement = env.DB.prepare(
    'DELETE FROM subscriptions WHERE user_id = ? AND subscription_id NOT IN (SELECT value FROM json_each(?))',
  ).bind(userId, ledgerIds)
  await changeAccess(env, selectAccountsOfOwner(env, userId), () => statement.run())
  await ledger.rebuildProjection(now)
}
