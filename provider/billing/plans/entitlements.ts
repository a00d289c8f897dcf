import { FREE_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import { SKUS, type Sku } from '../../../contract/billing/skus.ts'

/** A subscription of somebody who owns the home. Times in ms UTC. */
export interface OwnedPlan {
  readonly subscription_id: string
  readonly user_id: string
  readonly sku: string
  readonly status: string
  /** Licences, where the plan counts cameras. */
  readonly quantity: number
  readonly renews_at: number
  /** While it is paused it gives nothing; null: it is not. Left out: the same. */
  readonly paused_until?: number | null
  readonly created_at: number
}

/** That a licence of a subscription is bound to a camera. */
export interface BoundCamera {
  readonly device_id: string
  readonly subscription_id: string
  /** ms UTC */
  readonly bound_at: number
}

/** What `entitlementsOf` has to know: of those who own a home. */
export interface HomePlans {
  /** Ended ones too. */
  readonly subscriptions: readonly OwnedPlan[]
  /** Of these subscriptions, cameras of other homes too: licences are counted over all of them. */
  readonly bindings: readonly BoundCamera[]
}

/** What covers a camera. */
export interface CoveringPlan {
  readonly subscription_id: string
  readonly user_id: string
  readonly sku: Sku
  /** `home`: every camera of the home; `licence`: one that is bound to this camera. */
  readonly by: 'home' | 'licence'
}

/** What is given to one camera. */
export interface Entitlement {
  /** The plan that keeps longest of those that cover it; null: none does. */
  readonly plan: CoveringPlan | null
  readonly keepsDays: number
  readonly search: boolean
  readonly people: boolean
}

type Running = Pick<OwnedPlan, 'status' | 'renews_at' | 'paused_until'>

/** A subscription runs until the end of what is paid, whether or not it is renewed then; while it is paused it does not. */
export function isRunning({ status, renews_at, paused_until }: Running, now: number): boolean {
  return (paused_until ?? 0) <= now && (status === 'active' || renews_at > now)
}

export const isSku = (sku: string): sku is Sku => (SKUS as readonly string[]).includes(sku)

/**
 * What each of these cameras of one home is given (OPEN-147). Of more cameras than licences those are covered that were
 * bound first.
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

/** Null: not running, no plan for cameras, or the free one. */
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

/** The longest first, then the oldest. */
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
