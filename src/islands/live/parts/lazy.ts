import { lazy } from 'react'

const later = () => import('./Later.tsx')
const toolbar = () => import('./Toolbar.tsx')

export const Controls = lazy(async () => ({ default: (await later()).Controls }))
export const DayStrip = lazy(async () => ({ default: (await later()).DayStrip }))
export const EmptyHome = lazy(async () => ({ default: (await later()).EmptyHome }))
export const Extras = lazy(async () => ({ default: (await later()).Extras }))
export const Middle = lazy(async () => ({ default: (await later()).Middle }))
export const Today = lazy(async () => ({ default: (await later()).Today }))
/** Stands in the document from the start; its script comes with what can wait. */
export const Toolbar = import.meta.env.SSR
  ? (await toolbar()).Toolbar
  : lazy(async () => ({ default: (await toolbar()).Toolbar }))
