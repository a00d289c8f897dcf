import { atom, computed } from 'nanostores'
import { getAutoCover, setAutoCover } from '../../../contract/billing/licenses.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import { request } from '../../api/api-client.ts'
import { endIntent, intentFor } from './idempotency-keys.ts'
import { $devices, type Device } from '../home/devices.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { failureText } from '../shell/failure-text.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { loadCoverage } from './load-license-assignments.ts'
import { $bindings } from './license-assignments.ts'
import { $subscriptions } from './subscriptions.ts'

/** Camera of the owner, with its assignment to the plan. */
export interface CoverCamera {
  readonly device: Device
  /** True if a license of the plan is assigned to the camera. */
  readonly isBound: boolean
  readonly isCovered: boolean
  /** Another plan of the account whose license is assigned to the camera; null if there is none. */
  readonly other: Subscription | null
  /** Current retention of its clips, days. */
  readonly keepsDays: number
}

/**
 * State of the page. `none`: the account has no such plan; `over`: the plan has ended; `home`: the plan covers every
 * camera, so there is nothing to assign.
 */
export type LicenseManagerState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly text: string }
  | { readonly state: 'none' }
  | { readonly state: 'over' | 'home'; readonly plan: Subscription }
  | {
      readonly state: 'ready'
      readonly plan: Subscription
      readonly cameras: readonly CoverCamera[]
      /** Number of unassigned licenses. */
      readonly free: number
    }

export type ReadyCover = Extract<LicenseManagerState, { readonly state: 'ready' }>

/** Id of the plan that the URL names; null if it names none, undefined before the page has read the URL. */
export const $coverPlan = atom<string | null | undefined>(undefined)

const isCounted = ({ sku }: Subscription) => getPlan(sku).per === 'camera'

function planNamed(subscriptions: readonly Subscription[], id: string | null): Subscription | undefined {
  if (id === null) return subscriptions.find((subscription) => subscription.running && isCounted(subscription))
  return subscriptions.find(({ subscription_id }) => subscription_id === id)
}

export const $cover = computed(
  [$coverPlan, $subscriptions, $devices, $bindings],
  (id, subs, devices, bindings): LicenseManagerState => {
    if (id === undefined) return { state: 'loading' }
    if (subs.state === 'failed') return { state: 'failed', text: failureText(subs.failure) }
    if (subs.state === 'loading') return { state: 'loading' }
    const plan = planNamed(subs.subscriptions, id)
    if (!plan || getPlan(plan.sku).tier === null) return { state: 'none' }
    if (!plan.running) return { state: 'over', plan }
    if (!isCounted(plan)) return { state: 'home', plan }
    if (devices.state === 'failed') return { state: 'failed', text: devices.msg }
    if (bindings.state === 'failed') return { state: 'failed', text: bindings.failure.text }
    if (devices.state === 'loading' || bindings.state === 'loading') return { state: 'loading' }
    const others = subs.subscriptions.filter(
      (subscription) => subscription !== plan && subscription.running && isCounted(subscription),
    )
    const cameras = devices.devices
      .filter(({ user_role }) => user_role === OWNER)
      .map((device): CoverCamera => {
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
export const $autoCover = atom<boolean | null>(null)

const AUTO = 'auto-cover'

/** Loads the setting for automatic assignment into `$autoCover`. A failure is silent. */
export async function loadAutoCover(): Promise<void> {
  const answer = await request(getAutoCover, {})
  if (answer.ok) $autoCover.set(answer.data.on)
}

export async function chooseAutoCover(on: boolean): Promise<Failure | null> {
  const answer = await withFailureShown('toast', request(setAutoCover, { on, intent: intentFor(AUTO, String(on)) }))
  endIntent(AUTO, answer)
  if (!answer.ok) return answer
  $autoCover.set(answer.data.on)
  return null
}

export async function loadCover(): Promise<void> {
  await Promise.all([loadCoverage(), loadAutoCover()])
}

/**
 * Loads the plan that the URL names, and reloads the coverage when it changes elsewhere. Returns a function that stops
 * watching.
 */
export function openCover(search: string): () => void {
  $coverPlan.set(new URLSearchParams(search).get('plan'))
  void loadCover()
  openFeed()
  return onFeed(({ type }) => {
    // Reload on `hello` too: changes made between the first responses and `hello` appear in neither.
    if (type === 'access' || type === 'hello') void loadCoverage()
  })
}
