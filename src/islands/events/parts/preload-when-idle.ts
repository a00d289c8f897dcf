import { prepareVideo } from '../../../media/clip/clip-video.ts'
import { runAfterPaint } from '../../../ui/use-after-paint.ts'
import { restoreListScroll } from './restore-list-scroll.ts'

/** Delay before preloading, ms: lets the list and its first thumbnails load first. */
const PRELOAD_DELAY_MS = 1000

/** Restores the scroll position immediately. After a delay, preloads deferred scripts and prepares the first clip. */
export function preloadWhenIdle(...preloads: readonly (() => Promise<void>)[]): void {
  restoreListScroll()
  setTimeout(() => {
    for (const preload of preloads) void preload()
    runAfterPaint(prepareVideo())
  }, PRELOAD_DELAY_MS)
}
