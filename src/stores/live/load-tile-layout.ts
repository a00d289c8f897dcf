import { loadWithRetry } from '../../media/load-with-retry.ts'

/** Matches windows that are wide enough for the tile layout; narrower windows show one or two tiles per row. */
const wideWindowQuery = globalThis.matchMedia?.('(width >= 768px)')

export const isWideWindow = (): boolean => wideWindowQuery?.matches === true

let loadedPlaceTiles: ((body: HTMLElement) => void) | undefined

/**
 * Loads the layout code once the window is wide enough. The tiles stay hidden until the code arrives. After a failed
 * attempt, the tiles appear in plain rows until a retry succeeds.
 */
export function loadTileLayout(): void {
  if (!wideWindowQuery?.matches) return wideWindowQuery?.addEventListener('change', loadTileLayout, { once: true })
  void loadWithRetry(fetchLayoutCode).then(({ placeTiles }) => {
    loadedPlaceTiles = placeTiles
    findLiveBody()?.removeAttribute('data-plain')
    placeAllTiles()
  })
}

const fetchLayoutCode = () =>
  import('./position-tiles.ts').catch((error) => {
    findLiveBody()?.setAttribute('data-plain', '')
    throw error
  })

export function placeAllTiles(): void {
  const body = findLiveBody()
  if (body) loadedPlaceTiles?.(body)
}

const findLiveBody = () => document.querySelector<HTMLElement>('.live-body')
