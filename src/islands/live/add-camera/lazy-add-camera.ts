import { lazy } from 'react'
import { loadWithRetry } from '../../../media/load-with-retry.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './add-camera.css?url'

/** Add-camera view with its styles. No page includes it in the first load. */
export const LazyAddCamera = lazy(() =>
  loadWithRetry(async () => {
    const [{ AddCamera }] = await Promise.all([import('./AddCamera.tsx'), addStyleSheet(styles)])
    return { default: AddCamera }
  }),
)
