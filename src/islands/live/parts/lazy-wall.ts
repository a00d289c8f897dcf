import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import styles from './deferred-parts.css?url'

export const LazyWall = createDeferredComponent(async () => (await import('../wall/Wall.tsx')).Wall, { styles })
