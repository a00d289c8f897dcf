import { restoreListScroll } from './restore-list-scroll.ts'

/** By then the list and its first pictures are here. */
const WHEN_SETTLED_MS = 1000

/** What nobody waits for: the place of the list, then the scripts of what comes next. */
export function settle(...preloads: readonly (() => Promise<void>)[]): void {
  restoreListScroll()
  setTimeout(() => {
    for (const preload of preloads) void preload()
  }, WHEN_SETTLED_MS)
}
