import { loadWithRetry } from '../../media/load-with-retry.ts'

/** Matches windows that are wide enough for the tile layout; narrower windows show one or two tiles per row. */
const wideWindowQuery = globalThis.matchMedia?.('(width >= 768px)')

export const isWideWindow = (): boolean => wideWindowQuery?.matches === true

/**
 * Loads the layout code once the window is wide enough. The tiles stay hidden until the code arrives. After a failed
 * attempt, the tiles appear in plain rows until a retry succeeds.
 */
export function loadTileLayout(): void {
  if (!wideWindowQuery?.matches) return wideWindowQuery?.addEventListener('change', loadTileLayout, { once: true })
  void loadWithRetry(fetchLayoutCode).then(() => {
    showPlainRows(false)
    placeAllTiles()
  })
}

const fetchLayoutCode = () =>
  import('./position-tiles.ts').catch((error) => {
    showPlainRows(true)
    throw error
  })

const showPlainRows = (isPlain: boolean) => document.querySelector('.live-body')?.toggleAttribute('data-plain', isPlain)

export const placeAllTiles = (): void => window.placeTiles?.()
