import { createLazyComponent } from '../../../ui/lazy-component.tsx'
import styles from './add-camera.css?url'

/** Add-camera view with its styles. No page includes it in the first load. */
export const LazyAddCamera = createLazyComponent(async () => (await import('./AddCamera.tsx')).AddCamera, styles)
