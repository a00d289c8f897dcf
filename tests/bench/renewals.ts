import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { ADMIN_PATHS, clockResponse, DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { reconciliationPage } from '../../contract/operator/reconciliation.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { prepareBaseData } from '../support/ground.ts'
import { Shopper } from './shopper.ts'
import { startShopSystem, type ShopSystem } from './shop-system.ts'

/**
 * Demo accounts that buy a plan in this run. At the start, none has a camera plan that renews or that was bought
 * outside the portal.
 */
const PAYING_ACCOUNTS = ['free', 'shared', 'trial', 'cancelled', 'hms'] as const
const CLOCK_STEP_MS = 31 * 86_400_000

export interface RenewalRunResult {
  /** Total number of automatic charges of all accounts. */
  readonly renewals: number
  readonly kills: number
  /** Number of days by which the test clock is ahead of real time. */
  readonly days: number
  readonly seconds: number
  readonly differences: readonly string[]
}

export const hasNoRenewalMismatch = ({ differences }: RenewalRunResult): boolean => differences.length === 0

/** Advances the test clock until `n` renewals are charged. Meanwhile kills the provider, at most `kills` times. */
export async function measureRenewals(n: number, kills: number): Promise<RenewalRunResult> {
  prepareBaseData()
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-renewals-'))
  const shopSystem = await startShopSystem(dataFolder)
  try {
    return await runRenewals(shopSystem, n, kills)
  } finally {
    await shopSystem.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function runRenewals(shopSystem: ShopSystem, n: number, kills: number): Promise<RenewalRunResult> {
  const { env } = shopSystem
  await callOperator(env, 'POST', ADMIN_PATHS.seed)
  for (const [nth, name] of PAYING_ACCOUNTS.entries()) {
    const account = { email: `${name}@example.com`, password: DEMO_PASSWORD, isLossy: nth % 2 === 1 }
    const shopper = await Shopper.signIn({ portal: env.PORTAL_ORIGIN, payment: env.PAYMENT_ORIGIN }, account)
    await shopper.buy('one click')
  }
  const initial = await reconcileLedgers(shopSystem)
  const started = performance.now()
  let [current, killCount, clockAheadMs] = [initial, 0, 0]
  for (let step = 0; current.charges - initial.charges < n; step += 1) {
    const shouldKill = step % 2 === 0 && killCount < kills
    const [movedMs] = await Promise.all([advanceClock(shopSystem), shouldKill ? killProvider(shopSystem) : undefined])
    killCount += shouldKill ? 1 : 0
    clockAheadMs = movedMs ?? clockAheadMs
    current = await reconcileLedgers(shopSystem)
  }
  const seconds = (performance.now() - started) / 1000
  const { charges, differences } = current
  return {
    renewals: charges - initial.charges,
    kills: killCount,
    days: clockAheadMs / 86_400_000,
    seconds,
    differences,
  }
}

/**
 * Advances the test clock by one step. Returns the ms by which the clock is ahead, or null if the call failed, for
 * example because the provider was killed.
 */
async function advanceClock({ env }: ShopSystem): Promise<number | null> {
  try {
    const answer = await callOperator(env, 'POST', ADMIN_PATHS.clock, { by_ms: CLOCK_STEP_MS })
    return v.parse(clockResponse, answer).data.ahead
  } catch {
    return null
  }
}

async function killProvider(shopSystem: ShopSystem): Promise<void> {
  await sleep(Math.random() * 150)
  await shopSystem.killAndRestart(['provider'])
}

/** Compares every ledger with the payment gateway and the projection. */
async function reconcileLedgers({ env }: ShopSystem): Promise<{ charges: number; differences: string[] }> {
  const result = { charges: 0, differences: [] as string[] }
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const page = v.parse(reconciliationPage, await callOperator(env, 'GET', path)).data
    for (const { email, charges, differences } of page.accounts) {
      result.charges += charges
      result.differences.push(...differences.map(({ what: mismatch }) => `${email}: ${mismatch}`))
    }
    after = page.next
  }
  return result
}

export function formatRenewalTable(result: RenewalRunResult): string {
  const rows: [string, string | number][] = [
    ['charged renewals', result.renewals],
    ['kills (SIGKILL) of the provider during renewals', result.kills],
    ['days by which the test clock is ahead', Math.round(result.days)],
    ['mismatches between ledger, gateway and projection', result.differences.length],
    ['seconds', Math.round(result.seconds)],
  ]
  const lines = rows.map(([label, value]) => `| ${label} | ${value} |`)
  return [
    '| what | |',
    '|---|---|',
    ...lines,
    `| verdict | ${hasNoRenewalMismatch(result) ? 'holds' : '**missed**'} |`,
  ].join('\n')
}
