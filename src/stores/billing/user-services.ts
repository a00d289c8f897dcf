import { computed } from 'nanostores'
import { OWNER } from '../../../contract/auth/roles.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { isService, planTier, userServices, type UserServices } from '../../domain/billing/user-services.ts'
import { $subscriptions } from './subscriptions.ts'
import { $devices } from '../home/devices.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'

const NOTHING = userServices([], false)

const isServices = (value: unknown): value is UserServices =>
  typeof value === 'object' && value !== null && Object.keys(NOTHING).every((key) => key in value)

/** Services of the account, kept across visits (STORE-01). */
export const $userServices = keptJson<UserServices>(MONEY_KEYS.userServices, NOTHING, isServices)

/** Updates the services from subscriptions and cameras. Returns a function that stops it. */
export function syncUserServices(): () => void {
  const count = () => {
    const [subs, devices] = [$subscriptions.get(), $devices.get()]
    if (subs.state !== 'ready') return
    const hasCovered =
      'devices' in devices
        ? devices.devices.some(({ covered, user_role }) => covered && user_role === OWNER)
        : $userServices.get().isHaveCamerasBingCpt
    $userServices.set(userServices(subs.subscriptions, hasCovered))
  }
  const stops = [$subscriptions.subscribe(count), $devices.subscribe(count)]
  return () => stops.forEach((stop) => stop())
}

const subsForSku = (sku: Sku) =>
  computed($subscriptions, (subs): readonly Subscription[] =>
    subs.state === 'ready' ? subs.subscriptions.filter((subscription) => subscription.sku === sku) : [],
  )

/** Subscriptions by plan (STORE-14). Those with unused licenses are in src/stores/billing/license-assignments.ts. */
export const SUBS_BY_KIND = {
  'cam-ai': subsForSku('cam-ai'),
  unlimited: subsForSku('unlimited'),
  pro: subsForSku('pro'),
  hms: subsForSku('hms'),
} as const

/** True if a service of the second tier runs (STORE-17, OPEN-45). */
export const $hasSecondTier = computed(SUBS_BY_KIND.unlimited, (subs) =>
  subs.some((subscription) => isService(subscription) && planTier(subscription) === 2),
)
