import { FREE_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import { SKUS, type Sku } from '../../../contract/billing/skus.ts'

/** Subscription of an owner of the home. Times in ms UTC. */
export interface OwnedPlan {
  readonly subscription_id: string
  readonly user_id: string
  readonly sku: string
  readonly status: string
  /** Number of licenses, if the plan counts cameras. */
  readonly quantity: number
  readonly renews_at: number
  /** End of a pause, in which the plan covers nothing; null or omitted if the plan is not paused. */
  readonly paused_until?: number | null
  readonly created_at: number
}

export interface BoundCamera {
  readonly device_id: string
  readonly subscription_id: string
  /** ms UTC */
  readonly bound_at: number
}

/** Plans and licenses of the owners of a home, for `resolveEntitlements`. */
export interface HomePlans {
  /** Includes ended ones. */
  readonly subscriptions: readonly OwnedPlan[]
  /** Licenses of these subscriptions, also for cameras of other homes: they are counted across all homes. */
  readonly bindings: readonly BoundCamera[]
}

export interface CoveringPlan {
  readonly subscription_id: string
  readonly user_id: string
  readonly sku: Sku
  /** `home`: the plan covers every camera of the home; `licence`: a license of the plan is assigned to this camera. */
  readonly by: 'home' | 'licence'
}

export interface Entitlement {
  /** Plan with the longest retention period that covers the camera; null for none. */
  readonly plan: CoveringPlan | null
  readonly keepsDays: number
  readonly search: boolean
  readonly people: boolean
}

type Running = Pick<OwnedPlan, 'status' | 'renews_at' | 'paused_until'>

/** Returns true while the subscription is active or its paid period lasts, unless it is paused. */
export function isRunning({ status, renews_at, paused_until }: Running, now: number): boolean {
  return (paused_until ?? 0) <= now && (status === 'active' || renews_at > now)
}

export const isSku = (sku: string): sku is Sku => (SKUS as readonly string[]).includes(sku)

/**
 * Returns the entitlement of each of these cameras of one home (OPEN-147). If more cameras than licenses are assigned,
 * the earliest assigned ones are covered.
 */
export function resolveEntitlements(
  { subscriptions, bindings }: HomePlans,
  cameras: Iterable<string>,
  now: number,
): Map<string, Entitlement> {
  const covers = subscriptions.flatMap((subscription) => toReach(subscription, bindings, now) ?? []).sort(byDays)
  return new Map([...cameras].map((camera) => [camera, toEntitlement(covers.filter((cover) => cover.reaches(camera)))]))
}

interface Reach {
  readonly plan: CoveringPlan
  readonly gives: Omit<Entitlement, 'plan'>
  readonly created_at: number
  readonly reaches: (camera: string) => boolean
}

/**
 * Returns the cameras that a subscription covers, and what it includes; null if the plan is not running, is not for
 * cameras, or is the free one.
 */
function toReach(subscription: OwnedPlan, bindings: readonly BoundCamera[], now: number): Reach | null {
  const { subscription_id, user_id, sku, created_at } = subscription
  if (!isSku(sku) || !isRunning(subscription, now)) return null
  const { tier, per, keepsDays, search, people } = getPlan(sku)
  if (!tier || keepsDays === null) return null
  const plan: CoveringPlan = { subscription_id, user_id, sku, by: per === 'home' ? 'home' : 'licence' }
  const bound = per === 'home' ? null : licensed(subscription, bindings)
  const reaches = (camera: string) => bound === null || bound.has(camera)
  return { plan, gives: { keepsDays, search, people }, created_at, reaches }
}

function licensed({ subscription_id, quantity }: OwnedPlan, bindings: readonly BoundCamera[]): Set<string> {
  const own = bindings.filter((binding) => binding.subscription_id === subscription_id)
  own.sort((a, b) => a.bound_at - b.bound_at || compare(a.device_id, b.device_id))
  return new Set(own.slice(0, Math.max(0, quantity)).map(({ device_id }) => device_id))
}

/** Longest retention period first, then oldest. */
const byDays = (a: Reach, b: Reach) =>
  b.gives.keepsDays - a.gives.keepsDays ||
  a.created_at - b.created_at ||
  compare(a.plan.subscription_id, b.plan.subscription_id)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toEntitlement(covers: readonly Reach[]): Entitlement {
  const [best] = covers
  return {
    plan: best?.plan ?? null,
    keepsDays: best?.gives.keepsDays ?? FREE_DAYS,
    search: covers.some(({ gives }) => gives.search),
    people: covers.some(({ gives }) => gives.people),
  }
}
