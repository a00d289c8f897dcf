import type { ComponentType } from 'react'
import { createLazyComponent } from '../../../ui/lazy-component.tsx'
import styles from './deferred-parts.css?url'

type Parts = typeof import('./tile-parts-chunk.ts')

const createPart = <Props extends object>(select: (parts: Parts) => ComponentType<Props>) =>
  createLazyComponent(async () => select(await import('./tile-parts-chunk.ts')), styles)

/**
 * Deferred components of a tile. In lazy-parts.ts, they would be part of an import cycle, because that file loads wall
 * mode, which imports Tile.tsx.
 */
export const LazyTileControls = createPart(({ TileControls }) => TileControls)
export const LazyInsetVideo = createPart(({ InsetVideo }) => InsetVideo)
export const LazyTileStatus = createPart(({ TileStatus }) => TileStatus)
export const LazyTileFigures = createPart(({ TileFigures }) => TileFigures)
export const LazyStatePill = createPart(({ StatePill }) => StatePill)
export const LazyTileSubtitle = createPart(({ TileSubtitle }) => TileSubtitle)
