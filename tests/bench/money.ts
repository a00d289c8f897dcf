import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { booksPage } from '../../contract/operator/reconciliation.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { layGround } from '../support/ground.ts'
import { HABITS, Shopper, type Habit } from './shopper.ts'
import { openShopGround, type ShopGround, type ShopPart } from './shop-ground.ts'

/** Accounts that buy concurrently. */
const LANES = 4
const PASSWORD = 'a long enough password'
const VICTIMS: readonly (readonly ShopPart[])[] = [['provider'], ['portal'], ['portal', 'provider']]

export interface MoneyVerdict {
  readonly checkouts: number
  readonly kills: Readonly<Record<'portal' | 'provider' | 'both', number>>
  readonly by: Readonly<Record<Habit, number>>
  readonly seconds: number
  /** Number of purchases that the provider rejected because another tab of the account had bought first. */
  readonly refused: number
  /**
   * `charges`, `charged`: number and sum (cents) of the charges that the gateway collected. `acknowledged`, `paid`:
   * number and sum (cents) of all acknowledged orders.
   */
  readonly charges: number
  readonly charged: number
  readonly acknowledged: number
  readonly paid: number
  /** Acknowledged purchases whose response is now different or missing. */
  readonly missing: number
  /** Orders that were returned for two idempotency keys. */
  readonly doubled: number
  readonly differences: readonly string[]
}

/**
 * Returns true if every acknowledged purchase has one order and one charge, and the reconciliation found no mismatch.
 */
export const moneyHolds = (verdict: MoneyVerdict): boolean =>
  verdict.charges === verdict.acknowledged &&
  verdict.charged === verdict.paid &&
  verdict.missing + verdict.doubled + verdict.differences.length === 0

/** Runs `n` checkouts of signed-in accounts through the portal while parts of the system are killed `kills` times. */
export async function measureMoney(n: number, kills: number): Promise<MoneyVerdict> {
  layGround()
  const data = mkdtempSync(join(tmpdir(), 'porchlight-money-'))
  const ground = await openShopGround(data)
  try {
    return await run(ground, n, kills)
  } finally {
    await ground.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function run(ground: ShopGround, n: number, kills: number): Promise<MoneyVerdict> {
  const each = Math.ceil(n / Math.max(LANES, Math.ceil(n / Shopper.purchases)))
  const shoppers: Shopper[] = []
  for (let left = n; left > 0; left -= each) shoppers.push(await enter(ground, shoppers.length))
  const started = performance.now()
  const done = { checkouts: 0 }
  const by = Object.fromEntries(HABITS.map((habit) => [habit, 0])) as Record<Habit, number>
  const waiting = [...shoppers]
  const lane = async () => {
    for (let shopper = waiting.shift(); shopper; shopper = waiting.shift())
      for (let purchaseCount = 0; purchaseCount < each && done.checkouts < n; purchaseCount++) {
        const habit = HABITS[Math.floor(Math.random() * HABITS.length)] ?? 'one click'
        done.checkouts += 1
        by[habit] += 1
        await shopper.buy(habit)
      }
  }
  const killed = { portal: 0, provider: 0, both: 0 }
  await Promise.all([killer(ground, { n, kills }, done, killed), ...Array.from({ length: LANES }, lane)])
  const seconds = (performance.now() - started) / 1000
  return { checkouts: done.checkouts, kills: killed, by, seconds, ...(await judge(ground, shoppers)) }
}

async function enter({ env }: ShopGround, nth: number): Promise<Shopper> {
  const email = `buyer${nth}@example.com`
  await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password: PASSWORD })
  const [portal, payment] = [env.PORTAL_ORIGIN, env.PAYMENT_ORIGIN]
  return Shopper.enter({ portal, payment }, { email, password: PASSWORD, isLossy: nth % 2 === 1 })
}

async function killer(
  ground: ShopGround,
  { n, kills }: { n: number; kills: number },
  done: { readonly checkouts: number },
  killed: Record<'portal' | 'provider' | 'both', number>,
): Promise<void> {
  for (let nth = 0; nth < kills; nth++) {
    const at = (n / (kills + 1)) * (nth + 0.5 + Math.random())
    while (done.checkouts < Math.min(at, n)) await sleep(5)
    await sleep(Math.random() * 60)
    const victims = VICTIMS[nth % VICTIMS.length] ?? ['provider']
    killed[victims.length === 2 ? 'both' : (victims[0] ?? 'provider')] += 1
    await ground.killed(victims)
  }
}

/** Compares acknowledged purchases with the stored state once all work has finished. */
async function judge({ env }: ShopGround, shoppers: readonly Shopper[]) {
  const purchases = shoppers.flatMap((shopper) => shopper.bought.map((purchase) => ({ one: shopper, ...purchase })))
  let missing = 0
  for (const { one: shopper, asked: request, order } of purchases) {
    const again = await shopper.outcome(request).catch(() => null)
    if (again?.order_id !== order.order_id || again.paid !== order.paid) missing += 1
  }
  const accounts = []
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const page = v.parse(booksPage, await callOperator(env, 'GET', path)).data
    accounts.push(...page.accounts)
    after = page.next
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    refused: sum(shoppers.map(({ refused: rejections }) => rejections)),
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

export function moneyTable(verdict: MoneyVerdict): string {
  const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
  const { kills } = verdict
  const rows: [string, string | number][] = [
    ['checkouts', verdict.checkouts],
    ...Object.entries(verdict.by).map(([habit, count]): [string, number] => [`of them: ${habit}`, count]),
    ['kill -9 of the provider, the portal, both', `${kills.provider}, ${kills.portal}, ${kills.both}`],
    ['intents that were acknowledged', `${verdict.acknowledged}, ${dollars(verdict.paid)}`],
    ['charges that the gateway has', `${verdict.charges}, ${dollars(verdict.charged)}`],
    ['second tabs and late clicks that were refused', verdict.refused],
    ['acknowledged purchases that are not there', verdict.missing],
    ['orders that two intents share', verdict.doubled],
    ['differences between book, gateway and projection', verdict.differences.length],
    ['seconds', Math.round(verdict.seconds)],
  ]
  const lines = rows.map(([label, value]) => `| ${label} | ${value} |`)
  return ['| what | |', '|---|---|', ...lines, `| verdict | ${moneyHolds(verdict) ? 'holds' : '**missed**'} |`].join(
    '\n',
  )
}
