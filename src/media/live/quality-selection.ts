/** What a camera offers and what people have chosen, renditions by name. */
export interface QualityPreference {
  /** From the lowest to the best. */
  readonly offered: readonly string[]
  /** Nobody gets a better one than this; null: none was chosen. */
  readonly chosen: string | null
  /** The viewer always wants this one; null: whatever fits. */
  readonly pin: string | null
}

/** How the pictures came over the last second. */
export interface Link {
  /** Share of the packets that were lost, 0 to 1. */
  readonly lost: number
  /** Pictures that arrived, a second. */
  readonly fps: number
  /** To the camera and back, ms; null: not known. */
  readonly roundTripMs: number | null
  /** Share of the last seconds for which the picture stood still, 0 to 1. */
  readonly frozen: number
}

/** Why a rendition plays: the first one of a picture, pinned, and else what keeps it from being better; `sent`: it does not come. */
export type RenditionReason = 'start' | 'pinned' | 'link' | 'tile' | 'chosen' | 'best' | 'sent'

/** Which rendition is wanted. Times in ms on one clock. */
export interface Quality {
  readonly name: string
  readonly why: RenditionReason
  readonly changedAt: number
  /** Since when the link has been clean; null: it is not. */
  readonly cleanFrom: number | null
  /** How often the link did not carry a better one: each time it waits longer before it tries again. */
  readonly falls: number
  /** Pictures a second while all is well. */
  readonly usualFps: number
  /** What was chosen for all when this was decided. */
  readonly chosen: string | null
}

/** The link is clean for this long before a better rendition is tried; twice as long after each fall. */
export const UP_MS = 4000
const FALLS_MAX = 5
/** Clean for this long, the falls are forgotten. */
const FORGET_MS = 300_000
/** A change shows on the link after this time; before it nothing is taken for a sign. */
export const SETTLE_MS = 2000
/** A tile that has become small gets less only after this time. */
export const TILE_MS = 5000
/** A rendition of this share of a tile's lines is good enough for it. */
const ENOUGH = 0.75
const BAD = { lost: 0.05, fps: 0.6, roundTripMs: 1000, frozen: 0.2 }
const POOR = { lost: 0.01, fps: 0.85, roundTripMs: 500, frozen: 0.1 }
/** How fast the usual rate follows a camera that sends fewer pictures, by night for instance; per second. */
const FORGET_FPS = 0.98

/** The beginning, with what plays; `chosen`: for all, when the camera was asked for. */
export function firstQuality(name: string, chosen: string | null, now: number): Quality {
  return { name, why: 'start', changedAt: now, cleanFrom: null, falls: 0, usualFps: 0, chosen }
}

/**
 * The rendition that is wanted after another second: what is pinned; else the best that the tile can show and the link
 * carries, down at the first bad second, up after several clean ones. `tile`: lines of the tile in pixels of the screen.
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
  // It is gone, or another was chosen for all: that is what all see now, as far as it goes.
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

/** What a viewer may get: nothing better than what was chosen for all. */
export function allowed({ offered, chosen }: Pick<QualityPreference, 'offered' | 'chosen'>): readonly string[] {
  const best = chosen === null ? -1 : offered.indexOf(chosen)
  return best === -1 ? offered : offered.slice(0, best + 1)
}

/** The lowest rendition that fills the tile; the best where no name says how many lines it has. */
function enough(names: readonly string[], tile: number): number {
  const at = names.findIndex((name) => Number(name) >= tile * ENOUGH)
  return at === -1 ? names.length - 1 : at
}
