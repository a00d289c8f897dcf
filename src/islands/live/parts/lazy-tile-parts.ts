import { lazy } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './deferred-parts.css?url'

/** Loads a module of deferred parts and their styles at the same time. Never rejects: it retries until both are loaded. */
export const loadStyled = <Parts>(load: () => Promise<Parts>): Promise<Parts> =>
  loadWithRetry(async () => {
    const [parts] = await Promise.all([load(), addStyleSheet(styles)])
    return parts
  })

type Parts = typeof import('./deferred-tile-parts.tsx')
const lazyPart = <Name extends keyof Parts>(name: Name) =>
  lazy(async () => ({ default: (await loadStyled(() => import('./deferred-tile-parts.tsx')))[name] }))

/**
 * Deferred components of a tile. They are not in lazy-parts.ts, because that file loads components that themselves
 * import the tile.
 */
export const LazyTileControls = lazyPart('Controls')
export const LazyInsetVideo = lazyPart('Inset')
export const LazyTileStatus = lazyPart('Middle')
export const LazyStatePill = lazyPart('StatePill')
export const LazyTileSubtitle = lazyPart('TileLine')
