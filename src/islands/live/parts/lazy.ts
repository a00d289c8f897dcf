import { lazy } from 'react'
import { untilLoaded } from '../../../media/until-loaded.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './later.css?url'

/** What can wait, with its styles, which come at the same time. */
const dressed = <Parts>(load: () => Promise<Parts>) =>
  untilLoaded(async () => {
    const [parts] = await Promise.all([load(), addStyleSheet(styles)])
    return parts
  })

type Parts = typeof import('./Later.tsx')
const part = <Name extends keyof Parts>(name: Name) =>
  lazy(async () => ({ default: (await dressed(() => import('./Later.tsx')))[name] }))

export const Wall = lazy(async () => ({ default: (await dressed(() => import('../wall/Wall.tsx'))).Wall }))

const toolbar = () => import('./Toolbar.tsx')

export const Controls = part('Controls')
export const DayStrip = part('DayStrip')
export const EmptyHome = part('EmptyHome')
export const Extras = part('Extras')
export const Failed = part('Failed')
export const Inset = part('Inset')
export const LaterCamera = part('LaterCamera')
export const Middle = part('Middle')
export const StatePill = part('StatePill')
export const TileLine = part('TileLine')
export const Today = part('Today')
/** Stands in the document from the start; its script comes with what can wait. */
export const Toolbar = import.meta.env.SSR
  ? (await toolbar()).Toolbar
  : lazy(async () => ({ default: (await untilLoaded(toolbar)).Toolbar }))
