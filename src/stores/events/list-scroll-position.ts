/** Scroll position of the event list. The history entry stores it, so that Back and reload restore it. */
export interface ListScrollPosition {
  /** Scroll offset, CSS pixels. */
  readonly top: number
  /** Id of the first visible event, and the distance from the list's top edge to the event's top edge, CSS pixels. */
  readonly eventId: string
  readonly offset: number
}

export function readScrollPosition(): ListScrollPosition | null {
  const place = (history.state as { place?: Partial<ListScrollPosition> } | null)?.place
  const { top, eventId, offset } = place ?? {}
  return typeof top === 'number' && typeof eventId === 'string' && typeof offset === 'number'
    ? { top, eventId, offset }
    : null
}

export function storeScrollPosition(place: ListScrollPosition): void {
  history.replaceState({ ...(history.state as object | null), place }, '')
}
