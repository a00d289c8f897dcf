/**
 * State of a history entry: the window's scroll position. The browser cannot restore the position, because content
 * arrives only after the session check. Lists store their own positions.
 */
interface HistoryState {
  readonly scroll?: unknown
}

const CORRECTION_TIMEOUT_MS = 10_000
const USER_INPUT_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click'] as const

const storeScroll = (): void => history.replaceState({ ...(history.state as object | null), scroll: scrollY }, '')

/** Sets the scroll position to `top` in every frame until the user acts or the timeout ends. */
function holdScrollPosition(top: number): void {
  const endsAtMs = performance.now() + CORRECTION_TIMEOUT_MS
  const userInput = new AbortController()
  for (const eventType of USER_INPUT_EVENTS)
    addEventListener(eventType, () => userInput.abort(), { capture: true, signal: userInput.signal })
  const correctScroll = () => {
    if (userInput.signal.aborted) return
    const { scrollHeight, clientHeight } = document.documentElement
    if (Math.abs(scrollY - top) > 1 && scrollHeight - clientHeight >= Math.floor(top))
      scrollTo({ top, behavior: 'instant' })
    if (performance.now() < endsAtMs) requestAnimationFrame(correctScroll)
    else userInput.abort()
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
  const top = (history.state as HistoryState | null)?.scroll
  if (typeof top === 'number' && top > 0) holdScrollPosition(top)
}
