import { FREE_RETENTION_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export const SIMULATION_DAYS = 30

/** Clips of one camera by age in whole days. `free`: 1 for event types that every plan shows. */
export interface ClipCount {
  readonly device_id: string
  readonly age: number
  readonly free: number
  readonly clips: number
}

export interface SimulatedPlan {
  readonly sku: Sku
  /** Cameras that the plan covers. All other cameras have the free plan. */
  readonly covered: ReadonlySet<string>
  readonly isOwn: boolean
}

/** Plan that currently covers each camera, by camera id; null for none. */
export type CoveringSkus = ReadonlyMap<string, Sku | null>

/**
 * Returns the plans to compare, smallest first. Adds Camera AI for only the covered cameras if the current plans cover
 * only a part of the cameras, or if Camera AI is the highest plan and covers no camera. `isOwn` marks the highest plan
 * of the account.
 */
export function listTiers(cameras: CoveringSkus, runningSkus: readonly Sku[]): SimulatedPlan[] {
  const allCameras = new Set(cameras.keys())
  const coveredNow = new Set([...cameras].flatMap(([camera, sku]) => (sku === null ? [] : [camera])))
  const ownSku = [...cameras.values(), ...runningSkus].reduce<Sku>(
    (best, sku) => (isHigherTier(sku, best) ? sku : best),
    'free',
  )
  const isPart = coveredNow.size < allCameras.size && (coveredNow.size > 0 || ownSku === 'cam-ai')
  const tiers = [
    { sku: 'free', covered: new Set<string>() },
    ...(isPart ? [{ sku: 'cam-ai', covered: coveredNow } as const] : []),
    ...(['cam-ai', 'unlimited', 'pro'] as const).map((sku) => ({ sku, covered: allCameras })),
  ] as const
  const ownIndex = tiers.findIndex(({ sku }) => sku === ownSku)
  return tiers.map((tier, at) => ({ ...tier, isOwn: at === ownIndex }))
}

const isHigherTier = (sku: Sku | null, than: Sku): sku is Sku =>
  sku !== null && (getPlan(sku).tier ?? 0) > (getPlan(than).tier ?? 0)

/**
 * Counts the clips that the plan would show today. A covered camera shows all clips in the retention period of the
 * plan. Any other camera shows only free event types in the free retention period.
 */
export function countKeptClips({ sku, covered }: SimulatedPlan, counts: readonly ClipCount[]): number {
  const days = getPlan(sku).keepsDays ?? FREE_RETENTION_DAYS
  const isKept = ({ device_id, age, free }: ClipCount) =>
    covered.has(device_id) ? age < days : age < FREE_RETENTION_DAYS && free === 1
  return sumClips(counts.filter(isKept))
}

/** Returns the number of days from the oldest clip to now. A partial day counts as a whole day. */
export const countDays = (counts: readonly ClipCount[]): number => Math.max(0, ...counts.map(({ age }) => age + 1))

export const sumClips = (counts: readonly ClipCount[]): number => counts.reduce((sum, { clips }) => sum + clips, 0)

export interface SearchReach {
  readonly cameras: readonly string[]
  readonly days: number
}

/**
 * Returns the distinct reaches of the plans, widest first. A reach is the set of cameras and days that a plan searches,
 * at most `SIMULATION_DAYS`.
 */
export function listReaches(tiers: readonly SimulatedPlan[]): SearchReach[] {
  const reaches = tiers.flatMap((tier) => toReach(tier) ?? []).toReversed()
  return reaches.filter((reach, at) => reaches.findIndex((other) => isSameReach(reach, other)) === at)
}

function toReach({ sku, covered }: SimulatedPlan): SearchReach | null {
  const { search, keepsDays } = getPlan(sku)
  return search ? { cameras: [...covered], days: Math.min(SIMULATION_DAYS, keepsDays ?? 0) } : null
}

const isSameReach = (a: SearchReach, b: SearchReach) => a.days === b.days && a.cameras.length === b.cameras.length

/**
 * Counts per reach the searches with a match. `matchCountsByHome`: per home and search, the number of reaches with a
 * match. Skips a search with null in any home, because it did not run there.
 */
export function countMatchedSearches(
  matchCountsByHome: readonly (readonly (number | null)[])[],
  reaches: readonly SearchReach[],
): { searches: number; by: number[] } {
  const countsBySearch =
    matchCountsByHome[0]?.map((_, search) => matchCountsByHome.map((found) => found[search] ?? null)) ?? []
  const reachCounts = countsBySearch.flatMap((found) => {
    const counts = found.filter((count) => count !== null)
    return counts.length < found.length ? [] : [Math.max(0, ...counts)]
  })
  return {
    searches: reachCounts.length,
    by: reaches.map((_, index) => reachCounts.filter((reachCount) => reachCount > index).length),
  }
}

type PlanSimulation = ResponseOf<typeof simulatePlans>['data']

export function buildSimulation(
  { tiers, cameraIds }: { readonly tiers: readonly SimulatedPlan[]; readonly cameraIds: readonly string[] },
  counts: readonly ClipCount[],
  matchCountsByHome: readonly (readonly (number | null)[])[],
  now: number,
): PlanSimulation {
  const [days, clips] = [countDays(counts), sumClips(counts)]
  const cameras = cameraIds.length
  const reaches = listReaches(tiers)
  const { searches, by } = countMatchedSearches(matchCountsByHome, reaches)
  const plans = tiers.map((tier) => {
    const keptClips = countKeptClips(tier, counts)
    const reach = toReach(tier)
    return {
      // `cameras`: all cameras for the free plan, which covers no camera but shows some events of each camera.
      sku: tier.sku,
      cameras: tier.sku === 'free' ? cameras : tier.covered.size,
      is_own: tier.isOwn,
      kept: keptClips,
      lost: clips - keptClips,
      found: reach && (by[reaches.findIndex((candidate) => isSameReach(candidate, reach))] ?? 0),
    }
  })
  const camera_clips = cameraIds.map((id) => countCameraClips(id, counts))
  return { days, from: now - days * DAY_MS, to: now, cameras, clips, searches, plans, camera_clips }
}

/** Counts the clips of a camera that Camera AI would show today, and those that the free plan would show. */
function countCameraClips(device_id: string, counts: readonly ClipCount[]): PlanSimulation['camera_clips'][number] {
  const ownCounts = counts.filter((count) => count.device_id === device_id)
  const count = (covered: readonly string[]) =>
    countKeptClips({ sku: 'cam-ai', covered: new Set(covered), isOwn: false }, ownCounts)
  return { device_id, with_plan: count([device_id]), without_plan: count([]) }
}
