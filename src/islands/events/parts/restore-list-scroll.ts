import { storeScrollPosition, readScrollPosition } from '../../../stores/events/list-scroll-position.ts'

/** Time without scrolling after which the position is stored, ms. */
const SCROLL_IDLE_MS = 150
/** User input that cancels the restoration of the scroll position. */
const USER_INPUT_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Restores the scroll position from the current history entry. Afterwards, stores each new position in the history
 * entry.
 */
export function restoreListScroll(): void {
  const scroller = document.querySelector<HTMLElement>('[data-scroller]')
  if (!scroller) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const scheduleSave = () => {
    clearTimeout(timer)
    timer = setTimeout(() => storePosition(scroller), SCROLL_IDLE_MS)
  }
  restorePosition(scroller, () => {
    scroller.addEventListener('scroll', scheduleSave, { passive: true })
    // Opening a clip creates a new history entry, so the position is stored there too.
    scroller.addEventListener('click', scheduleSave)
    scheduleSave()
  })
}

const getRect = (element: Element) => element.getBoundingClientRect()

function storePosition(scroller: HTMLElement): void {
  const upper = getRect(scroller).top
  // The sticky day name covers the upper edge of the list.
  const covered = parseFloat(getComputedStyle(scroller).scrollPaddingTop)
  const cards = [...scroller.querySelectorAll<HTMLElement>('[data-event]')]
  const first = cards.find((card) => getRect(card).bottom > upper + covered)
  if (!first) return
  storeScrollPosition({
    top: scroller.scrollTop,
    eventId: first.dataset['event'] ?? '',
    offset: getRect(first).top - upper,
  })
}

/**
 * Waits until the list is tall enough, then scrolls to the stored position. If events were added above, corrects the
 * position so that the same event is in view.
 */
function restorePosition(scroller: HTMLElement, onDone: () => void): void {
  const stored = readScrollPosition()
  const observer = new MutationObserver(() => attempt())
  const end = () => {
    observer.disconnect()
    for (const hand of USER_INPUT_EVENTS) removeEventListener(hand, end)
    onDone()
  }
  function attempt(): void {
    if (!stored || scroller.scrollHeight - scroller.clientHeight < stored.top) return
    observer.disconnect()
    scroller.scrollTo({ top: stored.top })
    requestAnimationFrame(() => {
      const card = scroller.querySelector(`[data-event="${CSS.escape(stored.eventId)}"]`)
      if (card) scroller.scrollBy({ top: getRect(card).top - getRect(scroller).top - stored.offset })
      end()
    })
  }
  if (!stored || stored.top === 0) return onDone()
  for (const hand of USER_INPUT_EVENTS) addEventListener(hand, end, { once: true, passive: true })
  observer.observe(scroller, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] })
  attempt()
}
