import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { reconciliationPage } from '../../contract/operator/reconciliation.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { prepareBaseData } from '../support/ground.ts'
import { PURCHASE_PATTERNS, Shopper, type PurchasePattern } from './shopper.ts'
import { startShopSystem, type ShopSystem, type ShopProcess } from './shop-system.ts'

const PARALLEL_BUYERS = 4
const PASSWORD = 'a long enough password'
const KILL_TARGETS: readonly (readonly ShopProcess[])[] = [['provider'], ['portal'], ['portal', 'provider']]

export interface MoneyRunResult {
  readonly checkouts: number
  readonly kills: Readonly<Record<'portal' | 'provider' | 'both', number>>
  readonly by: Readonly<Record<PurchasePattern, number>>
  readonly seconds: number
  /** Number of purchases that the provider rejected because another tab of the account had bought first. */
  readonly refused: number
  /**
   * `charges`, `charged`: number and sum (cents) of the charges that the payment gateway collected. `acknowledged`,
   * `paid`: number and sum (cents) of all acknowledged orders.
   */
  readonly charges: number
  readonly charged: number
  readonly acknowledged: number
  readonly paid: number
  /** Number of acknowledged purchases whose order has changed or is missing. */
  readonly missing: number
  /** Number of orders that the provider returned for two different idempotency keys. */
  readonly doubled: number
  readonly differences: readonly string[]
}

/**
 * Returns true if every acknowledged purchase has one order and one charge, and the reconciliation found no mismatch.
 */
export const hasNoMoneyMismatch = (verdict: MoneyRunResult): boolean =>
  verdict.charges === verdict.acknowledged &&
  verdict.charged === verdict.paid &&
  verdict.missing + verdict.doubled + verdict.differences.length === 0

/** Runs `n` checkouts through the portal while the portal, the provider or both are killed `kills` times. */
export async function measureMoney(n: number, kills: number): Promise<MoneyRunResult> {
  prepareBaseData()
  const data = mkdtempSync(join(tmpdir(), 'porchlight-money-'))
  const ground = await startShopSystem(data)
  try {
    return await runCheckouts(ground, n, kills)
  } finally {
    await ground.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function runCheckouts(ground: ShopSystem, n: number, kills: number): Promise<MoneyRunResult> {
  const purchasesPerShopper = Math.ceil(n / Math.max(PARALLEL_BUYERS, Math.ceil(n / Shopper.MAX_PURCHASES)))
  const shoppers: Shopper[] = []
  for (let left = n; left > 0; left -= purchasesPerShopper) shoppers.push(await createShopper(ground, shoppers.length))
  const started = performance.now()
  const progress = { checkouts: 0 }
  const by = Object.fromEntries(PURCHASE_PATTERNS.map((habit) => [habit, 0])) as Record<PurchasePattern, number>
  const waitingShoppers = [...shoppers]
  const runWorker = async () => {
    for (let shopper = waitingShoppers.shift(); shopper; shopper = waitingShoppers.shift())
      for (let purchaseCount = 0; purchaseCount < purchasesPerShopper && progress.checkouts < n; purchaseCount++) {
        const habit = PURCHASE_PATTERNS[Math.floor(Math.random() * PURCHASE_PATTERNS.length)] ?? 'one click'
        progress.checkouts += 1
        by[habit] += 1
        await shopper.buy(habit)
      }
  }
  const killCounts = { portal: 0, provider: 0, both: 0 }
  await Promise.all([
    runKiller(ground, { n, kills }, progress, killCounts),
    ...Array.from({ length: PARALLEL_BUYERS }, runWorker),
  ])
  const seconds = (performance.now() - started) / 1000
  return { checkouts: progress.checkouts, kills: killCounts, by, seconds, ...(await checkPurchases(ground, shoppers)) }
}

async function createShopper({ env }: ShopSystem, nth: number): Promise<Shopper> {
  const email = `buyer${nth}@example.com`
  await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password: PASSWORD })
  const [portal, payment] = [env.PORTAL_ORIGIN, env.PAYMENT_ORIGIN]
  return Shopper.signIn({ portal, payment }, { email, password: PASSWORD, isLossy: nth % 2 === 1 })
}

async function runKiller(
  ground: ShopSystem,
  { n, kills }: { n: number; kills: number },
  progress: { readonly checkouts: number },
  killCounts: Record<'portal' | 'provider' | 'both', number>,
): Promise<void> {
  for (let nth = 0; nth < kills; nth++) {
    const checkoutsBeforeKill = (n / (kills + 1)) * (nth + 0.5 + Math.random())
    while (progress.checkouts < Math.min(checkoutsBeforeKill, n)) await sleep(5)
    await sleep(Math.random() * 60)
    const targets = KILL_TARGETS[nth % KILL_TARGETS.length] ?? ['provider']
    killCounts[targets.length === 2 ? 'both' : (targets[0] ?? 'provider')] += 1
    await ground.killAndRestart(targets)
  }
}

async function checkPurchases({ env }: ShopSystem, shoppers: readonly Shopper[]) {
  const purchases = shoppers.flatMap((shopper) =>
    shopper.acknowledgedPurchases.map((purchase) => ({ one: shopper, ...purchase })),
  )
  let missing = 0
  for (const { one: shopper, asked: request, order } of purchases) {
    const currentOrder = await shopper.waitForOutcome(request).catch(() => null)
    if (currentOrder?.order_id !== order.order_id || currentOrder.paid !== order.paid) missing += 1
  }
  const accounts = []
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const page = v.parse(reconciliationPage, await callOperator(env, 'GET', path)).data
    accounts.push(...page.accounts)
    after = page.next
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    refused: sum(shoppers.map(({ rejectedCount: rejections }) => rejections)),
    charges: sum(accounts.map(({ charges }) => charges)),
    charged: sum(accounts.map(({ cents }) => cents)),
    acknowledged: purchases.length,
    paid: sum(purchases.map(({ order }) => order.paid)),
    missing,
    doubled: purchases.length - new Set(purchases.map(({ order }) => order.order_id)).size,
    differences: accounts.flatMap(({ email, differences }) =>
      differences.map(({ what: mismatch }) => `${email}: ${mismatch}`),
    ),
  }
}

export function formatMoneyTable(verdict: MoneyRunResult): string {
  const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
  const { kills } = verdict
  const rows: [string, string | number][] = [
    ['checkouts', verdict.checkouts],
    ...Object.entries(verdict.by).map(([habit, count]): [string, number] => [`of them: ${habit}`, count]),
    ['kills (SIGKILL) of the provider, the portal, both', `${kills.provider}, ${kills.portal}, ${kills.both}`],
    ['acknowledged purchases', `${verdict.acknowledged}, ${dollars(verdict.paid)}`],
    ['charges at the gateway', `${verdict.charges}, ${dollars(verdict.charged)}`],
    ['rejected purchases from second tabs', verdict.refused],
    ['missing acknowledged purchases', verdict.missing],
    ['orders shared by two idempotency keys', verdict.doubled],
    ['mismatches between ledger, gateway and projection', verdict.differences.length],
    ['seconds', Math.round(verdict.seconds)],
  ]
  const lines = rows.map(([label, value]) => `| ${label} | ${value} |`)
  return [
    '| what | |',
    '|---|---|',
    ...lines,
    `| verdict | ${hasNoMoneyMismatch(verdict) ? 'holds' : '**missed**'} |`,
  ].join('\n')
}
