import { createDeferredComponent } from '../parts/defer.tsx'

/**
 * Deferred components that name a person in a clip and undo a change. They share a chunk of their own, because both
 * the clip stage and the page use them.
 */
export const { Later: WhoIsThis } = createDeferredComponent(async () =>
  (await import('./lazy-person-names.ts')).loadWhoIsThis(),
)
export const { Later: NameUndo } = createDeferredComponent(async () =>
  (await import('./lazy-person-names.ts')).loadNameUndo(),
)
