import { DEMO_HOMES } from './operator-calls.ts'
import type { PurchaseChannel, Period } from '../billing/money.ts'
import type { Sku } from '../billing/skus.ts'

/**
 * Initial plan of a demo account. `since` and `ends` are days relative to the account's creation. A past-due plan ends
 * 14 days after its paid period.
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
  /** Id of the home; null: the account has no home, and sees the first two cameras of the demo owner's home. */
  readonly home: string | null
  readonly plan: DemoPlan | null
  /** Card on file. `ending`: the card expires at the end of this month. `empty`: the bank declines it. */
  readonly card: 'good' | 'ending' | 'empty' | null
}

const WEB_PLAN_DEFAULTS = {
  period: 'monthly',
  status: 'active',
  channel: 'web',
  quantity: 1,
  since: -20,
  ends: 10,
} as const

/** Demo accounts that see cameras. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    email: 'owner@example.com',
    label: 'Owner',
    home: DEMO_HOMES.owner,
    card: 'good',
    plan: { ...WEB_PLAN_DEFAULTS, sku: 'unlimited', period: 'annual', since: 0, ends: 365 },
  },
  { email: 'free@example.com', label: 'Free plan', home: DEMO_HOMES.free, plan: null, card: null },
  { email: 'shared@example.com', label: 'Shared cameras', home: null, plan: null, card: null },
]

const createStateAccount = (
  name: string,
  label: string,
  plan: DemoPlan,
  card: DemoAccount['card'] = null,
): DemoAccount => ({
  email: `${name}@example.com`,
  label,
  home: `home_demo_${name}`,
  plan,
  card,
})

/** Demo accounts for the different states of a plan, such as trial or past due. Their homes have no cameras. */
export const DEMO_PLAN_STATE_ACCOUNTS: readonly DemoAccount[] = [
  createStateAccount('trial', 'Free trial', {
    ...WEB_PLAN_DEFAULTS,
    sku: 'cam-ai',
    status: 'trial',
    since: -5,
    ends: 9,
  }),
  createStateAccount('amazon', 'Bought on Amazon', { ...WEB_PLAN_DEFAULTS, sku: 'cam-ai', channel: 'amazon' }),
  createStateAccount('bonus', 'Coupon bonus', {
    ...WEB_PLAN_DEFAULTS,
    sku: 'cam-ai',
    channel: 'bonus',
    status: 'trial',
    ends: 20,
  }),
  createStateAccount(
    'cancelled',
    'Canceled',
    { ...WEB_PLAN_DEFAULTS, sku: 'unlimited', status: 'cancelled', since: -11, ends: 20 },
    'good',
  ),
  createStateAccount(
    'failed',
    'Failed charge',
    { ...WEB_PLAN_DEFAULTS, sku: 'unlimited', status: 'past_due', since: -33, ends: 12 },
    'empty',
  ),
  createStateAccount('expiring', 'Expiring card', { ...WEB_PLAN_DEFAULTS, sku: 'cam-ai', quantity: 3 }, 'ending'),
  createStateAccount('hms', 'Home Monitoring', { ...WEB_PLAN_DEFAULTS, sku: 'hms' }, 'good'),
]
