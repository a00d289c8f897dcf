import { lazy } from 'react'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './later.css?url'

const later = () => import('./Later.tsx')

/** A part of what can wait, with its styles, which come at the same time. */
async function dressed<Part>(part: Promise<Part>): Promise<Part> {
  await addStyleSheet(styles)
  return part
}

export const Wall = lazy(() => dressed(import('../wall/Wall.tsx').then(({ Wall }) => ({ default: Wall }))))

const toolbar = () => import('./Toolbar.tsx')

export const Controls = lazy(() => dressed(later().then(({ Controls }) => ({ default: Controls }))))
export const DayStrip = lazy(() => dressed(later().then(({ DayStrip }) => ({ default: DayStrip }))))
export const EmptyHome = lazy(() => dressed(later().then(({ EmptyHome }) => ({ default: EmptyHome }))))
export const Extras = lazy(() => dressed(later().then(({ Extras }) => ({ default: Extras }))))
export const Failed = lazy(() => dressed(later().then(({ Failed }) => ({ default: Failed }))))
export const Inset = lazy(() => dressed(later().then(({ Inset }) => ({ default: Inset }))))
export const LaterCamera = lazy(() => dressed(later().then(({ LaterCamera }) => ({ default: LaterCamera }))))
export const Middle = lazy(() => dressed(later().then(({ Middle }) => ({ default: Middle }))))
export const StatePill = lazy(() => dressed(later().then(({ StatePill }) => ({ default: StatePill }))))
export const TileLine = lazy(() => dressed(later().then(({ TileLine }) => ({ default: TileLine }))))
export const Today = lazy(() => dressed(later().then(({ Today }) => ({ default: Today }))))
/** Stands in the document from the start; its script comes with what can wait. */
export const Toolbar = import.meta.env.SSR
  ? (await toolbar()).Toolbar
  : lazy(async () => ({ default: (await toolbar()).Toolbar }))
