/** Ids of early cards: the card that was clicked, and the card with the keyboard focus; '' if none. */
const earlyState = { pressedId: '', focusedId: '' }

export function recordEarlyPress(eventId: string): void {
  earlyState.pressedId = eventId
}

export function recordEarlyFocus(eventId: string): void {
  earlyState.focusedId = eventId
}

/** Repeats the click on an early card, and moves the focus, to the card that has replaced it. Does so only once. */
export function replayEarlyInput(): void {
  const { pressedId, focusedId } = earlyState
  Object.assign(earlyState, { pressedId: '', focusedId: '' })
  const findCard = (id: string) => document.querySelector<HTMLElement>(`[data-list] [data-event="${id}"]`)
  if (focusedId && document.activeElement === document.body) findCard(focusedId)?.focus({ preventScroll: true })
  if (pressedId) findCard(pressedId)?.click()
}
