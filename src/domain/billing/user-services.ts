import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'

/**
 * License counts of an account by plan tier (STORE-01, OPEN-46, OPEN-145). Browsers store this object, so misspelled
 * names stay (OPEN-44).
 */
export interface UserServices {
  readonly t1Quantity: number
  readonly t2Quantity: number
  readonly t3Quantity: number
  readonly webT1Quantity: number
  readonly webT2Quantity: number
  readonly otherT1Quantity: number
  readonly otherT2Quantity: number
  /** True if the account has a camera plan in effect, bought through any channel. */
  readonly isHaveCptSub: boolean
  readonly isHaveHmsSub: boolean
  /** True if a camera plan covers at least one of the account's own cameras. */
  readonly isHaveCamerasBingCpt: boolean
  readonly onlyBonusFreeT1: boolean
  readonly onlyAmazonSub: boolean
}

type SubscriptionFields = Pick<Subscription, 'sku' | 'quantity' | 'running' | 'channel'>

/** True if the plan is in effect; a canceled plan stays in effect until its end. The free plan does not count. */
export const isRunningPaidPlan = ({ sku, running }: Pick<SubscriptionFields, 'sku' | 'running'>): boolean =>
  running && sku !== 'free'

/** Returns the tier of a camera plan, 1 to 3; null for all other plans. */
export const planTier = ({ sku }: Pick<SubscriptionFields, 'sku'>): number | null => getPlan(sku).tier || null

/** Counts the licenses of running plans. `hasCoveredCamera`: true if a plan covers a camera of this account. */
export function userServices(subscriptions: readonly SubscriptionFields[], hasCoveredCamera: boolean): UserServices {
  const services = subscriptions.filter(isRunningPaidPlan)
  const countLicenses = (tier: number, matches: (row: SubscriptionFields) => boolean = () => true) =>
    services.filter((row) => planTier(row) === tier && matches(row)).reduce((sum, { quantity }) => sum + quantity, 0)
  const isWeb = ({ channel }: SubscriptionFields) => channel === 'web'
  const isOther = ({ channel }: SubscriptionFields) => channel !== 'web'
  const isOnly = (matches: (row: SubscriptionFields) => boolean) => services.length > 0 && services.every(matches)
  const isHaveCptSub = services.some((row) => planTier(row) !== null)
  return {
    t1Quantity: countLicenses(1),
    t2Quantity: countLicenses(2),
    t3Quantity: countLicenses(3),
    webT1Quantity: countLicenses(1, isWeb),
    webT2Quantity: countLicenses(2, isWeb),
    otherT1Quantity: countLicenses(1, isOther),
    otherT2Quantity: countLicenses(2, isOther),
    isHaveCptSub,
    isHaveHmsSub: services.some(({ sku }) => sku === 'hms'),
    isHaveCamerasBingCpt: isHaveCptSub && hasCoveredCamera,
    onlyBonusFreeT1: isOnly((row) => row.channel === 'bonus' && planTier(row) === 1),
    onlyAmazonSub: isOnly(({ channel }) => channel === 'amazon'),
  }
}
