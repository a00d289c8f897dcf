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
export interface Link {
  /** Share of lost packets, 0 to 1. */
  readonly lost: number
  /** Received frames per second. */
  readonly fps: number
  /** Round-trip time to the camera, ms; null: unknown. */
  readonly roundTripMs: number | null
  /** Share of the last seconds spent in stalls, 0 to 1. */
  readonly frozen: number
}

/**
 * Reason for a rendition: `start`, `pinned`, or the limit that prevents a better one. `sent`: the better one was
 * requested but does not arrive.
 */
export type RenditionReason = 'start' | 'pinned' | 'link' | 'tile' | 'chosen' | 'best' | 'sent'

/** Wanted rendition. Times in ms on one clock. */
export interface Quality {
  readonly name: string
  readonly why: RenditionReason
  readonly changedAt: number
  /** Time since when the link has been without problems; null while it has problems. */
  readonly cleanFrom: number | null
  /** Number of downgrades by the link; each doubles the wait before the next upgrade. */
  readonly falls: number
  /** Usual frame rate of the stream when the link has no problems. */
  readonly usualFps: number
  /** Rendition chosen for all viewers at the time of this decision. */
  readonly chosen: string | null
}

/** Time that the link must be clean before an upgrade, ms. Each downgrade (fall) doubles it. */
export const UP_MS = 4000
const FALLS_MAX = 5
/** Time with a clean link after which earlier downgrades no longer count, ms. */
const FORGET_MS = 300_000
/** Time until a change of rendition affects the link, ms. Measurements before that are ignored. */
export const SETTLE_MS = 2000
/** Delay before a tile that became small gets a lower rendition. */
export const TILE_MS = 5000
/** A rendition is sufficient if it has this share of the tile's lines. */
const ENOUGH = 0.75
const BAD = { lost: 0.05, fps: 0.6, roundTripMs: 1000, frozen: 0.2 }
const POOR = { lost: 0.01, fps: 0.85, roundTripMs: 500, frozen: 0.1 }
/** Factor per second by which the usual frame rate decays, because a camera may send fewer frames, such as at night. */
const FORGET_FPS = 0.98

/**
 * Returns the initial quality for the rendition that plays. `chosen`: rendition chosen for all viewers when the stream
 * was requested.
 */
export function firstQuality(name: string, chosen: string | null, now: number): Quality {
  return { name, why: 'start', changedAt: now, cleanFrom: null, falls: 0, usualFps: 0, chosen }
}

/**
 * Returns the wanted rendition after another second: the pinned one, else the best one for the tile and the link.
 * Downgrades after one bad second, upgrades after several clean ones. `tile`: lines of the tile in device pixels.
 */
export function wantedRendition(
  before: Quality,
  wish: QualityPreference,
  link: Link,
  tile: number,
  now: number,
): Quality {
  const usualFps = Math.max(link.fps, before.usualFps * FORGET_FPS)
  const cleanFrom = isWorse(link, usualFps, POOR) ? null : (before.cleanFrom ?? now)
  const isForgotten = cleanFrom !== null && now - cleanFrom > FORGET_MS
  const falls = isForgotten ? 0 : before.falls
  const seen: Quality = { ...before, usualFps, cleanFrom, falls, chosen: wish.chosen }
  const names = allowed(wish)
  if (wish.pin !== null && names.includes(wish.pin)) return turn(seen, wish.pin, 'pinned', now)
  const at = Math.max(0, names.indexOf(before.name))
  const top = names.length - 1
  const ceiling = Math.min(top, enough(names, tile))
  const whyTop = ceiling < top ? 'tile' : names.length < wish.offered.length ? 'chosen' : 'best'
  const to = (index: number, why: RenditionReason) =>
    turn(seen, names[index] ?? before.name, index === ceiling ? whyTop : why, now)
  // The rendition is no longer available, or another one was chosen for all viewers. Use the best allowed one.
  if (!names.includes(before.name)) return to(top, 'chosen')
  if (wish.chosen !== null && wish.chosen !== before.chosen) return to(top, 'chosen')
  const age = now - before.changedAt
  if (at > 0 && age >= SETTLE_MS && isWorse(link, usualFps, BAD))
    return { ...to(at - 1, 'link'), why: 'link', falls: Math.min(FALLS_MAX, falls + 1), cleanFrom: null }
  if (at > ceiling) return age >= TILE_MS ? to(ceiling, whyTop) : seen
  const isClean = cleanFrom !== null && now - cleanFrom >= UP_MS * 2 ** falls
  if (at < ceiling && isClean && age >= UP_MS) return to(at + 1, 'start')
  return to(at, falls > 0 ? 'link' : 'start')
}

function turn(quality: Quality, name: string, why: RenditionReason, now: number): Quality {
  return { ...quality, name, why, changedAt: name === quality.name ? quality.changedAt : now }
}

const isWorse = (link: Link, usualFps: number, than: typeof BAD): boolean =>
  link.lost >= than.lost ||
  link.frozen >= than.frozen ||
  link.fps < usualFps * than.fps ||
  (link.roundTripMs ?? 0) >= than.roundTripMs

/** Returns the renditions for a viewer: none better than the one chosen for all. */
export function allowed({ offered, chosen }: Pick<QualityPreference, 'offered' | 'chosen'>): readonly string[] {
  const best = chosen === null ? -1 : offered.indexOf(chosen)
  return best === -1 ? offered : offered.slice(0, best + 1)
}

/**
 * Returns the index of the lowest rendition that is sufficient for the tile. If none is, or the names are not numbers,
 * returns that of the best.
 */
function enough(names: readonly string[], tile: number): number {
  const at = names.findIndex((name) => Number(name) >= tile * ENOUGH)
  return at === -1 ? names.length - 1 : at
}
