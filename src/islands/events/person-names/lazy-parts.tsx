import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import styles from './person-names.css?url'

/**
 * Deferred components that name a person in a clip and undo a change. They share a chunk of their own, because both
 * the clip stage and the page use them.
 */
export const LazyWhoIsThis = createDeferredComponent(async () => (await import('./person-names-chunk.ts')).WhoIsThis, {
  styles,
})
export const LazyNameUndo = createDeferredComponent(async () => (await import('./person-names-chunk.ts')).NameUndo, {
  styles,
})
