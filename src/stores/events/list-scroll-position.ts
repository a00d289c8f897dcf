/** Where the list of events stood; kept with the history entry, so that Back and a reload lead there again. */
export interface ListPlace {
  /** How far it was scrolled, CSS pixels. */
  readonly top: number
  /** The first event in view, and how far it began below the upper edge. */
  readonly eventId: string
  readonly offset: number
}

export function keptPlace(): ListPlace | null {
  const place = (history.state as { place?: Partial<ListPlace> } | null)?.place
  const { top, eventId, offset } = place ?? {}
  return typeof top === 'number' && typeof eventId === 'string' && typeof offset === 'number'
    ? { top, eventId, offset }
    : null
}

export function storeScrollPosition(place: ListPlace): void {
  history.replaceState({ ...(history.state as object | null), place }, '')
}
