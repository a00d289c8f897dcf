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
  readonly checkoutCountsByPattern: Readonly<Record<PurchasePattern, number>>
  readonly seconds: number
  /** Number of purchases that the provider rejected because another tab of the account had bought first. */
  readonly rejectedPurchaseCount: number
  /**
   * `charges`, `charged`: number and sum (cents) of the charges that the payment gateway collected. `acknowledged`,
   * `paid`: number and sum (cents) of all acknowledged orders.
   */
  readonly charges: number
  readonly charged: number
  readonly acknowledged: number
  readonly paid: number
  /** Number of acknowledged purchases whose order has changed or is missing. */
  readonly missingOrderCount: number
  /** Number of orders that the provider returned for two different idempotency keys. */
  readonly duplicateOrderCount: number
  readonly differences: readonly string[]
}

/**
 * Returns true if every acknowledged purchase has one order and one charge, and the reconciliation found no mismatch.
 */
export const hasNoMoneyMismatch = (result: MoneyRunResult): boolean =>
  result.charges === result.acknowledged &&
  result.charged === result.paid &&
  result.missingOrderCount + result.duplicateOrderCount + result.differences.length === 0

/** Runs `n` checkouts through the portal while the portal, the provider or both are killed `kills` times. */
export async function measureMoney(n: number, kills: number): Promise<MoneyRunResult> {
  prepareBaseData()
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-money-'))
  const shopSystem = await startShopSystem(dataFolder)
  try {
    return await runCheckouts(shopSystem, n, kills)
  } finally {
    await shopSystem.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function runCheckouts(shopSystem: ShopSystem, n: number, kills: number): Promise<MoneyRunResult> {
  const purchasesPerShopper = Math.ceil(n / Math.max(PARALLEL_BUYERS, Math.ceil(n / Shopper.MAX_PURCHASES)))
  const shoppers: Shopper[] = []
  for (let left = n; left > 0; left -= purchasesPerShopper)
    shoppers.push(await createShopper(shopSystem, shoppers.length))
  const started = performance.now()
  const progress = { checkouts: 0 }
  const checkoutCountsByPattern = Object.fromEntries(PURCHASE_PATTERNS.map((pattern) => [pattern, 0])) as Record<
    PurchasePattern,
    number
  >
  const waitingShoppers = [...shoppers]
  const runWorker = async () => {
    for (let shopper = waitingShoppers.shift(); shopper; shopper = waitingShoppers.shift())
      for (let purchaseCount = 0; purchaseCount < purchasesPerShopper && progress.checkouts < n; purchaseCount++) {
        const pattern = PURCHASE_PATTERNS[Math.floor(Math.random() * PURCHASE_PATTERNS.length)] ?? 'one click'
        progress.checkouts += 1
        checkoutCountsByPattern[pattern] += 1
        await shopper.buy(pattern)
      }
  }
  const killCounts = { portal: 0, provider: 0, both: 0 }
  await Promise.all([
    runKiller(shopSystem, { n, kills }, progress, killCounts),
    ...Array.from({ length: PARALLEL_BUYERS }, runWorker),
  ])
  const seconds = (performance.now() - started) / 1000
  return {
    checkouts: progress.checkouts,
    kills: killCounts,
    checkoutCountsByPattern,
    seconds,
    ...(await checkPurchases(shopSystem, shoppers)),
  }
}

async function createShopper({ env }: ShopSystem, nth: number): Promise<Shopper> {
  const email = `buyer${nth}@example.com`
  await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password: PASSWORD })
  const [portal, payment] = [env.PORTAL_ORIGIN, env.PAYMENT_ORIGIN]
  return Shopper.signIn({ portal, payment }, { email, password: PASSWORD, isLossy: nth % 2 === 1 })
}

async function runKiller(
  shopSystem: ShopSystem,
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
    await shopSystem.killAndRestart(targets)
  }
}

async function checkPurchases({ env }: ShopSystem, shoppers: readonly Shopper[]) {
  const purchases = shoppers.flatMap((shopper) =>
    shopper.acknowledgedPurchases.map((purchase) => ({ shopper, ...purchase })),
  )
  let missingOrderCount = 0
  for (const { shopper, request, order } of purchases) {
    const currentOrder = await shopper.waitForOutcome(request).catch(() => null)
    if (currentOrder?.order_id !== order.order_id || currentOrder.paid !== order.paid) missingOrderCount += 1
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
    rejectedPurchaseCount: sum(shoppers.map(({ rejectedCount: rejections }) => rejections)),
    charges: sum(accounts.map(({ charges }) => charges)),
    charged: sum(accounts.map(({ cents }) => cents)),
    acknowledged: purchases.length,
    paid: sum(purchases.map(({ order }) => order.paid)),
    missingOrderCount,
    duplicateOrderCount: purchases.length - new Set(purchases.map(({ order }) => order.order_id)).size,
    differences: accounts.flatMap(({ email, differences }) =>
      differences.map(({ what: mismatch }) => `${email}: ${mismatch}`),
    ),
  }
}

export function formatMoneyTable(result: MoneyRunResult): string {
  const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
  const { kills } = result
  const rows: [string, string | number][] = [
    ['checkouts', result.checkouts],
    ...Object.entries(result.checkoutCountsByPattern).map(([pattern, count]): [string, number] => [
      `of them: ${pattern}`,
      count,
    ]),
    ['kills (SIGKILL) of the provider, the portal, both', `${kills.provider}, ${kills.portal}, ${kills.both}`],
    ['acknowledged purchases', `${result.acknowledged}, ${dollars(result.paid)}`],
    ['charges at the gateway', `${result.charges}, ${dollars(result.charged)}`],
    ['rejected purchases from second tabs', result.rejectedPurchaseCount],
    ['missing acknowledged purchases', result.missingOrderCount],
    ['orders shared by two idempotency keys', result.duplicateOrderCount],
    ['mismatches between ledger, gateway and projection', result.differences.length],
    ['seconds', Math.round(result.seconds)],
  ]
  const lines = rows.map(([label, value]) => `| ${label} | ${value} |`)
  return [
    '| what | |',
    '|---|---|',
    ...lines,
    `| verdict | ${hasNoMoneyMismatch(result) ? 'holds' : '**missed**'} |`,
  ].join('\n')
}
