import { lazy } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'
import { loadStyled } from './lazy-tile-parts.ts'

type Parts = typeof import('./deferred-parts.tsx')
const part = <Name extends keyof Parts>(name: Name) =>
  lazy(async () => ({ default: (await loadStyled(() => import('./deferred-parts.tsx')))[name] }))

export const Wall = lazy(async () => ({ default: (await loadStyled(() => import('../wall/Wall.tsx'))).Wall }))

const toolbar = () => import('./Toolbar.tsx')

export const DayStrip = part('DayStrip')
export const EmptyHome = part('EmptyHome')
export const Extras = part('Extras')
export const Failed = part('Failed')
export const LaterCamera = part('LaterCamera')
export const Today = part('Today')
/** Part of the document from the start; its script loads with the deferred parts. */
export const Toolbar = import.meta.env.SSR
  ? (await toolbar()).Toolbar
  : lazy(async () => ({ default: (await loadWithRetry(toolbar)).Toolbar }))
