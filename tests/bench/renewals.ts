import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { ADMIN_PATHS, clockAnswer, DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { booksPage } from '../../contract/operator/reconciliation.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { layGround } from '../support/ground.ts'
import { Shopper } from './shopper.ts'
import { openShopGround, type ShopGround } from './shop-ground.ts'

/** Demo accounts that allow a test clock and have no camera plan that renews or was bought in another channel. */
const PAYERS = ['free', 'shared', 'trial', 'cancelled', 'hms'] as const
const STEP_MS = 31 * 86_400_000

export interface RenewalVerdict {
  /** Automatic charges of all accounts. */
  readonly renewals: number
  readonly kills: number
  /** Days by which the test clock is ahead. */
  readonly days: number
  readonly seconds: number
  readonly differences: readonly string[]
}

export const renewalsHold = ({ differences }: RenewalVerdict): boolean => differences.length === 0

/** Advances the test clock until `n` renewals were charged, while the provider is killed `kills` times. */
export async function measureRenewals(n: number, kills: number): Promise<RenewalVerdict> {
  layGround()
  const data = mkdtempSync(join(tmpdir(), 'porchlight-renewals-'))
  const ground = await openShopGround(data)
  try {
    return await run(ground, n, kills)
  } finally {
    await ground.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function run(ground: ShopGround, n: number, kills: number): Promise<RenewalVerdict> {
  const { env } = ground
  await callOperator(env, 'POST', ADMIN_PATHS.seed)
  for (const [nth, name] of PAYERS.entries()) {
    const account = { email: `${name}@example.com`, password: DEMO_PASSWORD, isLossy: nth % 2 === 1 }
    const shopper = await Shopper.enter({ portal: env.PORTAL_ORIGIN, payment: env.PAYMENT_ORIGIN }, account)
    await shopper.buy('one click')
  }
  const initial = await reconcileLedgers(ground)
  const started = performance.now()
  let [now, killed, ahead] = [initial, 0, 0]
  for (let step = 0; now.charges - initial.charges < n; step += 1) {
    const isKilled = step % 2 === 0 && killed < kills
    const [moved] = await Promise.all([move(ground), isKilled ? kill(ground) : undefined])
    killed += isKilled ? 1 : 0
    ahead = moved ?? ahead
    now = await reconcileLedgers(ground)
  }
  const seconds = (performance.now() - started) / 1000
  const { charges, differences } = now
  return { renewals: charges - initial.charges, kills: killed, days: ahead / 86_400_000, seconds, differences }
}

/**
 * Advances the test clock by one step. Returns the ms by which it is ahead, or null if the provider was killed
 * meanwhile; the step is then repeated.
 */
async function move({ env }: ShopGround): Promise<number | null> {
  try {
    const answer = await callOperator(env, 'POST', ADMIN_PATHS.clock, { by_ms: STEP_MS })
    return v.parse(clockAnswer, answer).data.ahead
  } catch {
    return null
  }
}

async function kill(ground: ShopGround): Promise<void> {
  await sleep(Math.random() * 150)
  await ground.killed(['provider'])
}

/** Compares every ledger with the payment gateway and the projection once pending work has finished. */
async function reconcileLedgers({ env }: ShopGround): Promise<{ charges: number; differences: string[] }> {
  const found = { charges: 0, differences: [] as string[] }
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const page = v.parse(booksPage, await callOperator(env, 'GET', path)).data
    for (const { email, charges, differences } of page.accounts) {
      found.charges += charges
      found.differences.push(...differences.map(({ what: mismatch }) => `${email}: ${mismatch}`))
    }
    after = page.next
  }
  return found
}

export function renewalTable(verdict: RenewalVerdict): string {
  const rows: [string, string | number][] = [
    ['renewals that were charged', verdict.renewals],
    ['kill -9 of the provider in the middle of them', verdict.kills],
    ['days that the clock was moved', Math.round(verdict.days)],
    ['differences between book, gateway and projection', verdict.differences.length],
    ['seconds', Math.round(verdict.seconds)],
  ]
  const lines = rows.map(([label, value]) => `| ${label} | ${value} |`)
  return ['| what | |', '|---|---|', ...lines, `| verdict | ${renewalsHold(verdict) ? 'holds' : '**missed**'} |`].join(
    '\n',
  )
}
