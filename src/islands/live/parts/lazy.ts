import { lazy } from 'react'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './later.css?url'

/** The script and the styles of what can wait. */
async function later() {
  const [module] = await Promise.all([import('./Later.tsx'), addStyleSheet(styles)])
  return module
}
const toolbar = () => import('./Toolbar.tsx')

export const Controls = lazy(async () => ({ default: (await later()).Controls }))
export const DayStrip = lazy(async () => ({ default: (await later()).DayStrip }))
export const EmptyHome = lazy(async () => ({ default: (await later()).EmptyHome }))
export const Extras = lazy(async () => ({ default: (await later()).Extras }))
export const Inset = lazy(async () => ({ default: (await later()).Inset }))
export const Middle = lazy(async () => ({ default: (await later()).Middle }))
export const StatePill = lazy(async () => ({ default: (await later()).StatePill }))
export const TileLine = lazy(async () => ({ default: (await later()).TileLine }))
export const Today = lazy(async () => ({ default: (await later()).Today }))
/** Stands in the document from the start; its script comes with what can wait. */
export const Toolbar = import.meta.env.SSR
  ? (await toolbar()).Toolbar
  : lazy(async () => ({ default: (await toolbar()).Toolbar }))
