import { restoreListScroll } from './restore-list-scroll.ts'

/** Delay before preloading, ms. By then the list and its first thumbnails have loaded. */
const WHEN_SETTLED_MS = 1000

/** Restores the scroll position immediately and preloads deferred scripts later. */
export function settle(...preloads: readonly (() => Promise<void>)[]): void {
  restoreListScroll()
  setTimeout(() => {
    for (const preload of preloads) void preload()
  }, WHEN_SETTLED_MS)
}
