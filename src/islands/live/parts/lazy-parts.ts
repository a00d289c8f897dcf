import type { ComponentType } from 'react'
import { createLazyComponent } from '../../../ui/lazy-component.tsx'
import styles from './deferred-parts.css?url'

type Parts = typeof import('./parts-chunk.ts')

const createPart = <Props extends object>(select: (parts: Parts) => ComponentType<Props>) =>
  createLazyComponent(async () => select(await import('./parts-chunk.ts')), styles)

export const LazyTodayTimeline = createPart(({ TodayTimeline }) => TodayTimeline)
export const LazyEmptyHome = createPart(({ EmptyHome }) => EmptyHome)
export const LazyPageBehaviors = createPart(({ PageBehaviors }) => PageBehaviors)
export const LazyCameraListError = createPart(({ CameraListError }) => CameraListError)
export const LazyDeferredCameraView = createPart(({ DeferredCameraView }) => DeferredCameraView)
export const LazyServiceNotice = createPart(({ ServiceNotice }) => ServiceNotice)
export const LazyTodayColumn = createPart(({ TodayColumn }) => TodayColumn)

const loadToolbar = async () => (await import('./Toolbar.tsx')).Toolbar
/** Toolbar. The prerendered document contains it; in the browser, its script loads separately. */
export const LazyToolbar = import.meta.env.SSR ? await loadToolbar() : createLazyComponent(loadToolbar)
