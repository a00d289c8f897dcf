import { restoreListScroll } from './restore-list-scroll.ts'

/** Delay before preloading, ms: lets the list and its first thumbnails load first. */
const PRELOAD_DELAY_MS = 1000

/** Restores the scroll position immediately, and preloads deferred scripts after a delay. */
export function preloadWhenIdle(...preloads: readonly (() => Promise<void>)[]): void {
  restoreListScroll()
  setTimeout(() => {
    for (const preload of preloads) void preload()
  }, PRELOAD_DELAY_MS)
}
