import { createDeferredComponent } from './defer.tsx'

/** Clip stage; its script loads when the pointer enters the list. */
export const { Later: LazyClipStage, preload: preloadClipStage } = createDeferredComponent(async () =>
  (await import('./lazy-clip-stage.ts')).loadClipStage(),
)

export const { Later: LazyGroupToggle } = createDeferredComponent(async () =>
  (await import('./lazy-clip-stage.ts')).loadGroupToggle(),
)

export const { Later: HoverClip } = createDeferredComponent(async () => (await import('./HoverClip.tsx')).HoverClip)

export const { Later: LazyEventsOverview } = createDeferredComponent(async () =>
  (await import('../timeline/lazy-timeline.ts')).loadOverview(),
)

export const { Later: LazyDateFilter } = createDeferredComponent(
  async () => (await import('./DateFilter.tsx')).DateFilter,
)
export const { Later: LazyPeopleFilter } = createDeferredComponent(
  async () => (await import('./PeopleFilter.tsx')).PeopleFilterList,
)
export const { Later: TagsPanel } = createDeferredComponent(async () => (await import('./TagsPanel.tsx')).TagsPanel)

export const { Later: LazyFilterBarActions } = createDeferredComponent(
  async () => (await import('./FilterBarActions.tsx')).FilterBarActions,
)

export const { Later: WeekRow } = createDeferredComponent(async () => (await import('./WeekRow.tsx')).WeekRow)

export const { Later: PhoneStrip } = createDeferredComponent(async () =>
  (await import('../timeline/lazy-timeline.ts')).loadPhoneStrip(),
)
export const { Later: PhoneFilters } = createDeferredComponent(async () =>
  (await import('../timeline/lazy-timeline.ts')).loadPhoneFilters(),
)

export const { Later: SelectionBar } = createDeferredComponent(
  async () => (await import('./SelectionBar.tsx')).SelectionBar,
)

/** Error view in its own chunk, so that the page can preload it before the connection is lost. */
export const { Later: LazyListError, preload: preloadListError } = createDeferredComponent(
  async () => (await import('./ListError.tsx')).ListError,
)

export const { Later: EmptyList } = createDeferredComponent(async () => (await import('./ListStates.tsx')).EmptyList)
export const { Later: ListNotice } = createDeferredComponent(async () => (await import('./ListStates.tsx')).ListNotice)

export const { Later: LazyRetentionNotice } = createDeferredComponent(
  async () => (await import('./RetentionNotice.tsx')).RetentionNotice,
)

export const { Later: NoEventsYet } = createDeferredComponent(
  async () => (await import('./NoEventsYet.tsx')).NoEventsYet,
)

export const { Later: LazySyncedPlayback } = createDeferredComponent(async () =>
  (await import('../synced-playback/lazy-synced-playback.ts')).loadSyncedPlayback(),
)
