import { createLazyComponent } from '../../../ui/lazy-component.tsx'
import styles from './add-camera.css?url'

/** Form for the streams of a camera, with the styles of the add-camera view. No page includes it in the first load. */
export const LazyChangeStreams = createLazyComponent(
  async () => (await import('./ChangeStreams.tsx')).ChangeStreams,
  styles,
)
