/**
 * Back and forward restore the scroll position. The browser restores it only for content that exists immediately; here
 * content arrives with the session. Each history entry stores the window's position; lists store their own.
 */
interface Place {
  readonly scroll?: unknown
}

/** Time for which the scroll position is corrected while content still arrives. */
const PATIENCE_MS = 10_000
/** User input that stops the correction, because the user may want to scroll elsewhere. */
const HANDS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click'] as const

const storeScroll = (): void => history.replaceState({ ...(history.state as object | null), scroll: scrollY }, '')

/**
 * Restores the scroll position `top` again and again while content still arrives, until the user acts or the time is
 * up.
 */
function hold(top: number): void {
  const ends = performance.now() + PATIENCE_MS
  const acted = new AbortController()
  for (const hand of HANDS) addEventListener(hand, () => acted.abort(), { capture: true, signal: acted.signal })
  const correctScroll = () => {
    if (acted.signal.aborted) return
    const { scrollHeight, clientHeight } = document.documentElement
    if (Math.abs(scrollY - top) > 1 && scrollHeight - clientHeight >= Math.floor(top))
      scrollTo({ top, behavior: 'instant' })
    if (performance.now() < ends) requestAnimationFrame(correctScroll)
    else acted.abort()
  }
  correctScroll()
}

/**
 * Restores the scroll position of this history entry, and stores the position when the page is left. Reloads pages from
 * the back/forward cache, because their plans, prices or session may have expired.
 */
export function restoreScroll(): void {
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', storeScroll)
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  const top = (history.state as Place | null)?.scroll
  if (typeof top === 'number' && top > 0) hold(top)
}
