import { computed } from 'nanostores'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { isRunningPaidPlan, planTier, userServices, type UserServices } from '../../domain/billing/user-services.ts'
import { $subscriptions } from './subscriptions.ts'
import { $devices } from '../home/devices.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'

const NO_SERVICES = userServices([], false)

const isUserServices = (value: unknown): value is UserServices =>
  typeof value === 'object' && value !== null && Object.keys(NO_SERVICES).every((key) => key in value)

/** License counts and flags of the account's running plans, kept across visits (STORE-01). */
export const $userServices = persistentJson<UserServices>(BILLING_KEYS.userServices, NO_SERVICES, isUserServices)

/** Keeps `$userServices` in sync with subscriptions and cameras. Returns a function that stops the sync. */
export function syncUserServices(): () => void {
  const updateServices = () => {
    const [subs, devices] = [$subscriptions.get(), $devices.get()]
    if (subs.state !== 'ready') return
    const hasCovered =
      'devices' in devices
        ? devices.devices.some(({ covered, user_role }) => covered && user_role === OWNER_ROLE)
        : $userServices.get().isHaveCamerasBingCpt
    $userServices.set(userServices(subs.subscriptions, hasCovered))
  }
  const stops = [$subscriptions.subscribe(updateServices), $devices.subscribe(updateServices)]
  return () => stops.forEach((stop) => stop())
}

const createSubscriptionsBySku = (sku: Sku) =>
  computed($subscriptions, (subs): readonly Subscription[] =>
    subs.state === 'ready' ? subs.subscriptions.filter((subscription) => subscription.sku === sku) : [],
  )

/**
 * Stores with the subscriptions of each plan except the free plan, including ended ones (STORE-14).
 * license-assignments.ts lists subscriptions with unused licenses.
 */
export const SUBSCRIPTIONS_BY_SKU = {
  'cam-ai': createSubscriptionsBySku('cam-ai'),
  unlimited: createSubscriptionsBySku('unlimited'),
  pro: createSubscriptionsBySku('pro'),
  hms: createSubscriptionsBySku('hms'),
} as const

/** True if a second-tier plan is running (STORE-17, OPEN-45). */
export const $hasSecondTier = computed(SUBSCRIPTIONS_BY_SKU.unlimited, (subs) =>
  subs.some((subscription) => isRunningPaidPlan(subscription) && planTier(subscription) === 2),
)
