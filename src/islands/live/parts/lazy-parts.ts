import { lazy } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'
import { loadStyled } from './lazy-tile-parts.ts'

type Parts = typeof import('./deferred-parts.tsx')
const part = <Name extends keyof Parts>(name: Name) =>
  lazy(async () => ({ default: (await loadStyled(() => import('./deferred-parts.tsx')))[name] }))

export const LazyWall = lazy(async () => ({ default: (await loadStyled(() => import('../wall/Wall.tsx'))).Wall }))

const toolbar = () => import('./Toolbar.tsx')

export const LazyTodayTimeline = part('DayStrip')
export const LazyEmptyHome = part('EmptyHome')
export const LazyPageBehaviors = part('Extras')
export const LazyCameraListError = part('Failed')
export const LazyDeferredCameraView = part('LaterCamera')
export const LazyTodayColumn = part('Today')
/**
 * The prerendered document contains the toolbar; in the browser, its script loads with the other deferred components.
 */
export const LazyToolbar = import.meta.env.SSR
  ? (await toolbar()).Toolbar
  : lazy(async () => ({ default: (await loadWithRetry(toolbar)).Toolbar }))
