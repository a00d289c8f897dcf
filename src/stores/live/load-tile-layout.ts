import { loadWithRetry } from '../../media/load-with-retry.ts'

/** Matches windows that are wide enough for the layout rule; narrower windows show one or two tiles per row. */
const WIDE = globalThis.matchMedia?.('(width >= 768px)')

let place: ((body: HTMLElement) => void) | undefined

/**
 * Loads the layout rule once the window is wide enough. The tiles stay hidden until it arrives; after a failed attempt
 * they stand in plain rows.
 */
export function loadTileLayout(): void {
  if (!WIDE?.matches) return WIDE?.addEventListener('change', loadTileLayout, { once: true })
  void loadWithRetry(fetchRule).then(({ placeTiles }) => {
    place = placeTiles
    findLiveBody()?.removeAttribute('data-plain')
    placeAll()
  })
}

const fetchRule = () =>
  import('./position-tiles.ts').catch((error) => {
    findLiveBody()?.setAttribute('data-plain', '')
    throw error
  })

export function placeAll(): void {
  const body = findLiveBody()
  if (body) place?.(body)
}

const findLiveBody = () => document.querySelector<HTMLElement>('.live-body')
