import { FREE_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum days that are counted back. */
export const TRUTH_DAYS = 30

/** Clips of one camera by age in whole days. `free`: 1 for kinds that every plan shows. */
export interface ClipCount {
  readonly device_id: string
  readonly age: number
  readonly free: number
  readonly clips: number
}

export interface Tier {
  readonly sku: Sku
  /** Cameras that the plan covers. Others have the free plan. */
  readonly covered: ReadonlySet<string>
  readonly isOwn: boolean
}

/** Plan that covers each camera now; null for none. */
export type CoveringSkus = ReadonlyMap<string, Sku | null>

/**
 * Returns the plans to compare, smallest first: the free plan, Camera AI on the cameras that have a plan now if others
 * have none, Camera AI on all cameras, and the whole-home plans. `isOwn`: highest plan that the account has (`running`)
 * or that covers a camera, even Camera AI whose licenses cover none.
 */
export function listTiers(cameras: CoveringSkus, running: readonly Sku[]): Tier[] {
  const all = new Set(cameras.keys())
  const now = new Set([...cameras].flatMap(([camera, sku]) => (sku === null ? [] : [camera])))
  const own = [...cameras.values(), ...running].reduce<Sku>((best, sku) => (higher(sku, best) ? sku : best), 'free')
  const isPart = now.size < all.size && (now.size > 0 || own === 'cam-ai')
  const tiers = [
    { sku: 'free', covered: new Set<string>() },
    ...(isPart ? [{ sku: 'cam-ai', covered: now } as const] : []),
    ...(['cam-ai', 'unlimited', 'pro'] as const).map((sku) => ({ sku, covered: all })),
  ] as const
  const mine = tiers.findIndex(({ sku }) => sku === own)
  return tiers.map((tier, at) => ({ ...tier, isOwn: at === mine }))
}

const higher = (sku: Sku | null, than: Sku): sku is Sku =>
  sku !== null && (getPlan(sku).tier ?? 0) > (getPlan(than).tier ?? 0)

/**
 * Counts the clips that the plan would still have today: for covered cameras all clips of its retention period, for
 * others only clips that every plan shows.
 */
export function countKeptClips({ sku, covered }: Tier, counts: readonly ClipCount[]): number {
  const days = getPlan(sku).keepsDays ?? FREE_DAYS
  const isKept = ({ device_id, age, free }: ClipCount) =>
    covered.has(device_id) ? age < days : age < FREE_DAYS && free === 1
  return sumClips(counts.filter(isKept))
}

/** Returns the number of days with clips, from the age of the oldest clip. A started day counts as a whole day. */
export const countDays = (counts: readonly ClipCount[]): number => Math.max(0, ...counts.map(({ age }) => age + 1))

export const sumClips = (counts: readonly ClipCount[]): number => counts.reduce((sum, { clips }) => sum + clips, 0)

export interface Reach {
  readonly cameras: readonly string[]
  readonly days: number
}

/**
 * Returns the reach of each plan (cameras and days that it searches) within `TRUTH_DAYS`, without duplicates, widest
 * first.
 */
export function listReaches(tiers: readonly Tier[]): Reach[] {
  const reaches = tiers.flatMap((tier) => toReach(tier) ?? []).toReversed()
  return reaches.filter((reach, at) => reaches.findIndex((other) => isSame(reach, other)) === at)
}

function toReach({ sku, covered }: Tier): Reach | null {
  const { search, keepsDays } = getPlan(sku)
  return search ? { cameras: [...covered], days: Math.min(TRUTH_DAYS, keepsDays ?? 0) } : null
}

const isSame = (a: Reach, b: Reach) => a.days === b.days && a.cameras.length === b.cameras.length

/**
 * Counts the searches with a match in each reach. `homes`: for each home and search, the number of reaches with a
 * match, counted from the widest; null if the search did not run. Skips a search that did not run in every home.
 */
export function countMatchedSearches(
  homes: readonly (readonly (number | null)[])[],
  reaches: readonly Reach[],
): { searches: number; by: number[] } {
  const countsBySearch = homes[0]?.map((_, search) => homes.map((found) => found[search] ?? null)) ?? []
  const reachCounts = countsBySearch.flatMap((found) => {
    const counts = found.filter((count) => count !== null)
    return counts.length < found.length ? [] : [Math.max(0, ...counts)]
  })
  return {
    searches: reachCounts.length,
    by: reaches.map((_, place) => reachCounts.filter((reachCount) => reachCount > place).length),
  }
}

type Truth = ResponseOf<typeof simulatePlans>['data']

export function buildSimulation(
  { tiers, cameras }: { readonly tiers: readonly Tier[]; readonly cameras: number },
  counts: readonly ClipCount[],
  homes: readonly (readonly (number | null)[])[],
  now: number,
): Truth {
  const [days, clips] = [countDays(counts), sumClips(counts)]
  const reaches = listReaches(tiers)
  const { searches, by } = countMatchedSearches(homes, reaches)
  const plans = tiers.map((tier) => {
    const keptClips = countKeptClips(tier, counts)
    const reach = toReach(tier)
    return {
      // The free plan covers no camera, but shows some events of every camera.
      ...{ sku: tier.sku, cameras: tier.sku === 'free' ? cameras : tier.covered.size },
      ...{ is_own: tier.isOwn, kept: keptClips, lost: clips - keptClips },
      found: reach && (by[reaches.findIndex((candidate) => isSame(candidate, reach))] ?? 0),
    }
  })
  return { days, from: now - days * DAY_MS, to: now, cameras, clips, searches, plans }
}
