import { FREE_RETENTION_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import { SKUS, type Sku } from '../../../contract/billing/skus.ts'

/** Subscription of one of the home's owners. Times in ms UTC. */
export interface OwnedPlan {
  readonly subscription_id: string
  readonly user_id: string
  readonly sku: string
  readonly status: string
  /** Number of licenses, if the plan has one license per camera. */
  readonly quantity: number
  readonly renews_at: number
  /** End of a pause (no coverage until then), ms UTC; null or omitted if the plan is not paused. */
  readonly paused_until?: number | null
  readonly created_at: number
}

export interface LicenseAssignment {
  readonly device_id: string
  readonly subscription_id: string
  /** ms UTC */
  readonly bound_at: number
}

/** Subscriptions and license assignments of the home's owners, the input of `resolveEntitlements`. */
export interface HomePlans {
  /** Subscriptions, including ended ones. */
  readonly subscriptions: readonly OwnedPlan[]
  /**
   * License assignments of these subscriptions. They include cameras in other homes, because those cameras also use the
   * licenses.
   */
  readonly bindings: readonly LicenseAssignment[]
}

export interface CoveringPlan {
  readonly subscription_id: string
  readonly user_id: string
  readonly sku: Sku
  /** `home`: the plan covers every camera of the home; `licence`: a license of the plan is assigned to this camera. */
  readonly by: 'home' | 'licence'
}

export interface Entitlement {
  /** Covering plan with the longest retention period; null if no plan covers the camera. */
  readonly plan: CoveringPlan | null
  readonly keepsDays: number
  readonly search: boolean
  readonly people: boolean
}

type RunningFields = Pick<OwnedPlan, 'status' | 'renews_at' | 'paused_until'>

/** Returns true if the subscription is active or in its paid period, and is not paused. */
export function isRunning({ status, renews_at, paused_until }: RunningFields, now: number): boolean {
  return (paused_until ?? 0) <= now && (status === 'active' || renews_at > now)
}

export const isSku = (sku: string): sku is Sku => (SKUS as readonly string[]).includes(sku)

/**
 * Returns the entitlement of each camera of one home (OPEN-147). If a subscription has more assigned cameras than
 * licenses, the cameras that were assigned first get the licenses.
 */
export function resolveEntitlements(
  { subscriptions, bindings }: HomePlans,
  cameras: Iterable<string>,
  now: number,
): Map<string, Entitlement> {
  const coverages = subscriptions
    .flatMap((subscription) => toPlanCoverage(subscription, bindings, now) ?? [])
    .sort(compareCoverage)
  return new Map(
    [...cameras].map((camera) => [camera, toEntitlement(coverages.filter((cover) => cover.coversCamera(camera)))]),
  )
}

interface PlanCoverage {
  readonly plan: CoveringPlan
  readonly benefits: Omit<Entitlement, 'plan'>
  readonly created_at: number
  readonly coversCamera: (camera: string) => boolean
}

/** Returns null if the subscription is not running, is not for cameras, or is the free plan. */
function toPlanCoverage(
  subscription: OwnedPlan,
  bindings: readonly LicenseAssignment[],
  now: number,
): PlanCoverage | null {
  const { subscription_id, user_id, sku, created_at } = subscription
  if (!isSku(sku) || !isRunning(subscription, now)) return null
  const { tier, per, keepsDays, search, people } = getPlan(sku)
  if (!tier || keepsDays === null) return null
  const plan: CoveringPlan = { subscription_id, user_id, sku, by: per === 'home' ? 'home' : 'licence' }
  const bound = per === 'home' ? null : listLicensedCameras(subscription, bindings)
  const coversCamera = (camera: string) => bound === null || bound.has(camera)
  return { plan, benefits: { keepsDays, search, people }, created_at, coversCamera }
}

function listLicensedCameras(
  { subscription_id, quantity }: OwnedPlan,
  bindings: readonly LicenseAssignment[],
): Set<string> {
  const own = bindings.filter((binding) => binding.subscription_id === subscription_id)
  own.sort((a, b) => a.bound_at - b.bound_at || compareIds(a.device_id, b.device_id))
  return new Set(own.slice(0, Math.max(0, quantity)).map(({ device_id }) => device_id))
}

const compareCoverage = (a: PlanCoverage, b: PlanCoverage) =>
  b.benefits.keepsDays - a.benefits.keepsDays ||
  a.created_at - b.created_at ||
  compareIds(a.plan.subscription_id, b.plan.subscription_id)
const compareIds = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toEntitlement(coverages: readonly PlanCoverage[]): Entitlement {
  const [best] = coverages
  return {
    plan: best?.plan ?? null,
    keepsDays: best?.benefits.keepsDays ?? FREE_RETENTION_DAYS,
    search: coverages.some(({ benefits }) => benefits.search),
    people: coverages.some(({ benefits }) => benefits.people),
  }
}
