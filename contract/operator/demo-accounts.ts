import { DEMO_HOMES } from './operator-calls.ts'
import type { PurchaseChannel, Period } from '../billing/money.ts'
import type { Sku } from '../billing/skus.ts'

/**
 * Initial plan of a demo account. `since` and `ends` are days relative to the account's creation. A past-due plan ends
 * 14 days after its period.
 */
interface DemoPlan {
  readonly sku: Exclude<Sku, 'free'>
  readonly period: Period
  readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
  readonly channel: PurchaseChannel
  readonly quantity: number
  readonly since: number
  readonly ends: number
}

export interface DemoAccount {
  readonly email: string
  readonly label: string
  /** Home of the account. Null: it has no home and sees the owner's first two cameras. */
  readonly home: string | null
  readonly plan: DemoPlan | null
  /** Card on file. `ending`: this month is its last; `empty`: the bank declines it. */
  readonly card: 'good' | 'ending' | 'empty' | null
}

const web = { period: 'monthly', status: 'active', channel: 'web', quantity: 1, since: -20, ends: 10 } as const

/** Demo accounts that see cameras. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    ...{ email: 'owner@example.com', label: 'Owner', home: DEMO_HOMES.owner, card: 'good' },
    plan: { ...web, sku: 'unlimited', period: 'annual', since: 0, ends: 365 },
  },
  { email: 'free@example.com', label: 'Free plan', home: DEMO_HOMES.free, plan: null, card: null },
  { email: 'shared@example.com', label: 'Shared cameras', home: null, plan: null, card: null },
]

const state = (name: string, label: string, plan: DemoPlan, card: DemoAccount['card'] = null): DemoAccount => ({
  ...{ email: `${name}@example.com`, label, home: `home_demo_${name}`, plan, card },
})

/** Accounts that show states of a plan; their homes have no cameras. */
export const DEMO_STATES: readonly DemoAccount[] = [
  state('trial', 'Free days', { ...web, sku: 'cam-ai', status: 'trial', since: -5, ends: 9 }),
  state('amazon', 'Bought on Amazon', { ...web, sku: 'cam-ai', channel: 'amazon' }),
  state('bonus', 'Bonus of a coupon', { ...web, sku: 'cam-ai', channel: 'bonus', status: 'trial', ends: 20 }),
  state('cancelled', 'Cancelled', { ...web, sku: 'unlimited', status: 'cancelled', since: -11, ends: 20 }, 'good'),
  state('failed', 'Failed charge', { ...web, sku: 'unlimited', status: 'past_due', since: -33, ends: 12 }, 'empty'),
  state('expiring', 'Expiring card', { ...web, sku: 'cam-ai', quantity: 3 }, 'ending'),
  state('hms', 'Home monitoring', { ...web, sku: 'hms' }, 'good'),
]
