import { lazy } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'
import { loadStyled } from './lazy-tile-parts.ts'

type Parts = typeof import('./deferred-parts.tsx')
const lazyPart = <Name extends keyof Parts>(name: Name) =>
  lazy(async () => ({ default: (await loadStyled(() => import('./deferred-parts.tsx')))[name] }))

export const LazyWall = lazy(async () => ({ default: (await loadStyled(() => import('../wall/Wall.tsx'))).Wall }))

const loadToolbar = () => import('./Toolbar.tsx')

export const LazyTodayTimeline = lazyPart('DayStrip')
export const LazyEmptyHome = lazyPart('EmptyHome')
export const LazyPageBehaviors = lazyPart('Extras')
export const LazyCameraListError = lazyPart('Failed')
export const LazyDeferredCameraView = lazyPart('LaterCamera')
export const LazyTodayColumn = lazyPart('Today')
/** Toolbar. The prerendered document contains it; in the browser, its script loads separately. */
export const LazyToolbar = import.meta.env.SSR
  ? (await loadToolbar()).Toolbar
  : lazy(async () => ({ default: (await loadWithRetry(loadToolbar)).Toolbar }))
