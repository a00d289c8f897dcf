import { lazy } from 'react'

const later = () => import('./Later.tsx')

export const Controls = lazy(async () => ({ default: (await later()).Controls }))
export const DayStrip = lazy(async () => ({ default: (await later()).DayStrip }))
export const EmptyHome = lazy(async () => ({ default: (await later()).EmptyHome }))
export const Middle = lazy(async () => ({ default: (await later()).Middle }))
export const Today = lazy(async () => ({ default: (await later()).Today }))
