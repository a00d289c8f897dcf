/** Offered renditions, and the choices made for the camera. Renditions are given by name. */
export interface QualityPreference {
  /** From the lowest to the best. */
  readonly offered: readonly string[]
  /** Best rendition for all viewers; null: no limit. */
  readonly chosen: string | null
  /** Rendition that the viewer always wants; null: automatic. */
  readonly pin: string | null
}

/** State of the link over the last second. */
export interface LinkMeasurement {
  /** Share of lost packets, 0 to 1. */
  readonly lost: number
  readonly fps: number
  /** Round-trip time to the camera, ms; null: unknown. */
  readonly roundTripMs: number | null
  /** Share of time spent in stalls, 0 to 1: a moving average over the last seconds. */
  readonly frozen: number
}

/**
 * Reason why a rendition plays. `pinned`: the viewer always wants it. `best`: there is no better one. `start`: a better
 * one may follow soon. `link`, `tile` and `chosen`: the link, the size of the tile, or the choice for all viewers
 * prevents a better one. `sent`: a better one was requested, but does not arrive.
 */
export type RenditionReason = 'start' | 'pinned' | 'link' | 'tile' | 'chosen' | 'best' | 'sent'

/** Wanted rendition. All times are in ms of the same clock. */
export interface QualityDecision {
  readonly name: string
  readonly why: RenditionReason
  readonly changedAt: number
  /** Time since which the link has had no problems; null while it has problems. */
  readonly cleanSince: number | null
  /** Number of downgrades that the link caused; each doubles the wait before the next upgrade. */
  readonly downgrades: number
  /** Usual frame rate of the stream when the link has no problems. */
  readonly usualFps: number
  /** Rendition chosen for all viewers at the time of this decision; null for none. */
  readonly chosen: string | null
}

/** Time that the link must be clean before an upgrade, ms. Each downgrade doubles it. */
export const UPGRADE_AFTER_MS = 4000
const MAX_DOWNGRADES = 5
/** Time with a clean link after which earlier downgrades no longer count, ms. */
const DOWNGRADE_MEMORY_MS = 300_000
/** Time until a change of rendition affects the link, ms. A bad link causes no downgrade before that. */
export const RENDITION_SETTLE_MS = 2000
/** Minimum time after a change of rendition before the rendition is lowered for a small tile, ms. */
export const SMALL_TILE_DELAY_MS = 5000
/** Share of the tile's lines that a rendition must have to be sufficient. */
const SUFFICIENT_LINES_SHARE = 0.75
const BAD_LINK_LIMITS = { lost: 0.05, fps: 0.6, roundTripMs: 1000, frozen: 0.2 }
const POOR_LINK_LIMITS = { lost: 0.01, fps: 0.85, roundTripMs: 500, frozen: 0.1 }
/** Factor per second by which the usual frame rate decays, because a camera may send fewer frames, such as at night. */
const FPS_DECAY = 0.98

/**
 * Returns the initial decision for the rendition that plays. `chosen`: rendition chosen for all viewers when the stream
 * was requested.
 */
export function createInitialDecision(name: string, chosen: string | null, now: number): QualityDecision {
  return { name, why: 'start', changedAt: now, cleanSince: null, downgrades: 0, usualFps: 0, chosen }
}

/**
 * Returns the decision after another second: the pinned rendition, else the best one for the tile and the link.
 * Downgrades after one bad second, upgrades after several clean ones. `tileLines`: height of the tile in device pixels.
 */
export function decideQuality(
  previous: QualityDecision,
  preference: QualityPreference,
  link: LinkMeasurement,
  tileLines: number,
  now: number,
): QualityDecision {
  const usualFps = Math.max(link.fps, previous.usualFps * FPS_DECAY)
  const cleanFrom = isWorse(link, usualFps, POOR_LINK_LIMITS) ? null : (previous.cleanSince ?? now)
  const isForgotten = cleanFrom !== null && now - cleanFrom > DOWNGRADE_MEMORY_MS
  const downgradeCount = isForgotten ? 0 : previous.downgrades
  const updated: QualityDecision = {
    ...previous,
    usualFps,
    cleanSince: cleanFrom,
    downgrades: downgradeCount,
    chosen: preference.chosen,
  }
  const names = listAllowedRenditions(preference)
  if (preference.pin !== null && names.includes(preference.pin))
    return changeRendition(updated, preference.pin, 'pinned', now)
  const currentIndex = Math.max(0, names.indexOf(previous.name))
  const top = names.length - 1
  const ceiling = Math.min(top, findSufficientIndex(names, tileLines))
  const ceilingReason = ceiling < top ? 'tile' : names.length < preference.offered.length ? 'chosen' : 'best'
  const decideFor = (index: number, reason: RenditionReason) =>
    changeRendition(updated, names[index] ?? previous.name, index === ceiling ? ceilingReason : reason, now)
  // The rendition is no longer available, or another one was chosen for all viewers. Use the best allowed one.
  if (!names.includes(previous.name)) return decideFor(top, 'chosen')
  if (preference.chosen !== null && preference.chosen !== previous.chosen) return decideFor(top, 'chosen')
  const age = now - previous.changedAt
  if (currentIndex > 0 && age >= RENDITION_SETTLE_MS && isWorse(link, usualFps, BAD_LINK_LIMITS))
    return {
      ...decideFor(currentIndex - 1, 'link'),
      why: 'link',
      downgrades: Math.min(MAX_DOWNGRADES, downgradeCount + 1),
      cleanSince: null,
    }
  if (currentIndex > ceiling) return age >= SMALL_TILE_DELAY_MS ? decideFor(ceiling, ceilingReason) : updated
  const isClean = cleanFrom !== null && now - cleanFrom >= UPGRADE_AFTER_MS * 2 ** downgradeCount
  if (currentIndex < ceiling && isClean && age >= UPGRADE_AFTER_MS) return decideFor(currentIndex + 1, 'start')
  return decideFor(currentIndex, downgradeCount > 0 ? 'link' : 'start')
}

function changeRendition(
  quality: QualityDecision,
  name: string,
  reason: RenditionReason,
  now: number,
): QualityDecision {
  return { ...quality, name, why: reason, changedAt: name === quality.name ? quality.changedAt : now }
}

const isWorse = (link: LinkMeasurement, usualFps: number, limits: typeof BAD_LINK_LIMITS): boolean =>
  link.lost >= limits.lost ||
  link.frozen >= limits.frozen ||
  link.fps < usualFps * limits.fps ||
  (link.roundTripMs ?? 0) >= limits.roundTripMs

/**
 * Returns the renditions that a viewer may use: those up to the rendition chosen for all viewers, or all offered ones
 * if none of them is chosen.
 */
export function listAllowedRenditions({
  offered,
  chosen,
}: Pick<QualityPreference, 'offered' | 'chosen'>): readonly string[] {
  const best = chosen === null ? -1 : offered.indexOf(chosen)
  return best === -1 ? offered : offered.slice(0, best + 1)
}

/**
 * Returns the index of the lowest rendition that is sufficient for the tile. Returns the index of the best one if none
 * is sufficient, or if the names are not numbers.
 */
function findSufficientIndex(names: readonly string[], tileLines: number): number {
  const index = names.findIndex((name) => Number(name) >= tileLines * SUFFICIENT_LINES_SHARE)
  return index === -1 ? names.length - 1 : index
}
