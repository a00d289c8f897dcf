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
const part = <Name extends keyof Parts>(name: Name) =>
  lazy(async () => ({ default: (await loadStyled(() => import('./deferred-tile-parts.tsx')))[name] }))

/**
 * Deferred components of a tile. They are separate from those of the page, because the page's components contain tiles.
 */
export const LazyTileControls = part('Controls')
export const LazyInsetVideo = part('Inset')
export const LazyTileStatus = part('Middle')
export const LazyStatePill = part('StatePill')
export const LazyTileSubtitle = part('TileLine')
