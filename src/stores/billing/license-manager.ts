import { atom, computed } from 'nanostores'
import { getAutoAssignment, setAutoAssignment } from '../../../contract/billing/licenses.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { request } from '../../api/api-client.ts'
import { discardKeyIfFinal, getIdempotencyKey } from './idempotency-keys.ts'
import { $devices, type Device } from '../home/devices.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { formatFailure } from '../shell/failure-text.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { reloadLicenses } from './load-license-assignments.ts'
import { $licenseAssignments } from './license-assignments.ts'
import { $subscriptions } from './subscriptions.ts'

/** Camera that the user owns, with its license assignment. */
export interface LicensedCamera {
  readonly device: Device
  /** True if a license of the managed plan is assigned to the camera. */
  readonly isBound: boolean
  readonly isCovered: boolean
  /** Running plan, other than the managed one, whose license is assigned to the camera; null if there is none. */
  readonly other: Subscription | null
  /** Current retention period of the camera's clips, days. */
  readonly keepsDays: number
}

/**
 * State of the page on which the user assigns the licenses of a plan. `none`: the account has no camera plan to manage.
 * `over`: the plan has ended. `home`: the plan covers every camera, so there is nothing to assign.
 */
export type LicenseManagerState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly text: string }
  | { readonly state: 'none' }
  | { readonly state: 'over' | 'home'; readonly plan: Subscription }
  | {
      readonly state: 'ready'
      readonly plan: Subscription
      readonly cameras: readonly LicensedCamera[]
      /** Number of unassigned licenses. */
      readonly free: number
    }

export type ReadyLicenseManager = Extract<LicenseManagerState, { readonly state: 'ready' }>

/** Id of the plan that the URL names; null if it names none, undefined before the page has read the URL. */
export const $managedPlanId = atom<string | null | undefined>(undefined)

const isPerCameraPlan = ({ sku }: Subscription) => getPlan(sku).per === 'camera'

function findPlan(subscriptions: readonly Subscription[], id: string | null): Subscription | undefined {
  if (id === null) {
    const plans = subscriptions.filter(({ running, sku }) => running && getPlan(sku).tier !== null)
    return plans.find(isPerCameraPlan) ?? plans[0]
  }
  return subscriptions.find(({ subscription_id }) => subscription_id === id)
}

export const $licenseManager = computed(
  [$managedPlanId, $subscriptions, $devices, $licenseAssignments],
  (id, subs, devices, bindings): LicenseManagerState => {
    if (id === undefined) return { state: 'loading' }
    if (subs.state === 'failed') return { state: 'failed', text: formatFailure(subs.failure) }
    if (subs.state === 'loading') return { state: 'loading' }
    const plan = findPlan(subs.subscriptions, id)
    if (!plan || getPlan(plan.sku).tier === null) return { state: 'none' }
    if (!plan.running) return { state: 'over', plan }
    if (!isPerCameraPlan(plan)) return { state: 'home', plan }
    if (devices.state === 'failed') return { state: 'failed', text: devices.msg }
    if (bindings.state === 'failed') return { state: 'failed', text: bindings.failure.text }
    if (devices.state === 'loading' || bindings.state === 'loading') return { state: 'loading' }
    const others = subs.subscriptions.filter(
      (subscription) => subscription !== plan && subscription.running && isPerCameraPlan(subscription),
    )
    const cameras = devices.devices
      .filter(({ user_role }) => user_role === OWNER_ROLE)
      .map((device): LicensedCamera => {
        const binding = bindings.bindings.get(device.device_id)
        const other = others.find(({ subscription_id }) => subscription_id === binding?.bound_to) ?? null
        const isBound = binding?.bound_to === plan.subscription_id
        const isCovered = binding ? binding.plan !== null : false
        return { device, isBound, isCovered, other, keepsDays: binding?.keeps_days ?? 1 }
      })
    const used = cameras.filter(({ isBound }) => isBound).length
    return { state: 'ready', plan, cameras, free: Math.max(0, plan.quantity - used) }
  },
)

/** True if new cameras get an unassigned license automatically; null until it is known. */
export const $isAutoAssignOn = atom<boolean | null>(null)

const AUTO_COVER_ACTION = 'auto-cover'

/** Loads the setting for automatic assignment into `$isAutoAssignOn`. A failure is silent. */
export async function loadAutoAssign(): Promise<void> {
  const response = await request(getAutoAssignment, {})
  if (response.ok) $isAutoAssignOn.set(response.data.on)
}

export async function setAutoAssign(on: boolean): Promise<Failure | null> {
  const response = await withFailureShown(
    'toast',
    request(setAutoAssignment, { on, intent: getIdempotencyKey(AUTO_COVER_ACTION, String(on)) }),
  )
  discardKeyIfFinal(AUTO_COVER_ACTION, response)
  if (!response.ok) return response
  $isAutoAssignOn.set(response.data.on)
  return null
}

export async function loadLicenseManager(): Promise<void> {
  await Promise.all([reloadLicenses(), loadAutoAssign()])
}

/**
 * Loads the licenses of the plan that the URL names, or of the first running camera plan. Reloads them on the feed
 * messages `access` and `hello`. Returns an unsubscribe function.
 */
export function openLicenseManager(search: string): () => void {
  $managedPlanId.set(new URLSearchParams(search).get('plan'))
  void loadLicenseManager()
  openFeed()
  return onFeed(({ type }) => {
    // Also reload on `hello`: a change before the feed connected may be missing from the first responses.
    if (type === 'access' || type === 'hello') void reloadLicenses()
  })
}
