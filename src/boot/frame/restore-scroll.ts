/**
 * Back and forward return to where one was. The browser does so by itself only for what is there at once; here content
 * comes when the session has resolved. Each history entry keeps the place of the window; lists keep their own.
 */
interface Place {
  readonly scroll?: unknown
}

/** How long late content may move the page before it stays where it is, ms. */
const PATIENCE_MS = 10_000
/** Whoever does one of these wants to go elsewhere. */
const HANDS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click'] as const

const storeScroll = (): void => history.replaceState({ ...(history.state as object | null), scroll: scrollY }, '')

/** Holds the page at `top` while its content still comes, until the user acts. */
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
 * Returns to the place of this entry; from now on it is kept when the page is left. A page that the browser has kept whole is
 * loaded anew: its plans and prices may be over, and so may be the session that it shows.
 */
export function restoreScroll(): void {
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', storeScroll)
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  const top = (history.state as Place | null)?.scroll
  if (typeof top === 'number' && top > 0) hold(top)
}
