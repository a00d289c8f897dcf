import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import syncedPlaybackStyles from '../synced-playback/synced-playback.css?url'
import timelineStyles from '../timeline/timeline.css?url'
import clipStyles from './clip.css?url'

/** Clip stage. Its script loads shortly after the page has opened, or earlier when the pointer enters the list. */
export const LazyClipStage = createDeferredComponent(async () => (await import('./clip-stage-chunk.ts')).ClipStage, {
  styles: clipStyles,
})
export const LazyVisitPart = createDeferredComponent(async () => (await import('./clip-stage-chunk.ts')).VisitPart, {
  styles: clipStyles,
})

export const LazyTagIcon = createDeferredComponent(async () => (await import('./TagIcon.tsx')).TagIcon)
export const LazyHoverClip = createDeferredComponent(async () => (await import('./clip-stage-chunk.ts')).HoverClip)

export const LazyEventsOverview = createDeferredComponent(
  async () => (await import('../timeline/timeline-chunk.ts')).EventsOverview,
  { styles: timelineStyles },
)
export const LazyPhoneStrip = createDeferredComponent(
  async () => (await import('../timeline/timeline-chunk.ts')).PhoneStrip,
  { styles: timelineStyles },
)
export const LazyZoneHint = createDeferredComponent(
  async () => (await import('../timeline/timeline-chunk.ts')).ZoneHint,
  { styles: timelineStyles },
)
export const LazyPhoneFilters = createDeferredComponent(
  async () => (await import('../timeline/timeline-chunk.ts')).PhoneFilters,
  { styles: timelineStyles },
)

export const LazyDateFilter = createDeferredComponent(async () => (await import('./DateFilter.tsx')).DateFilter)
export const LazyPeopleFilter = createDeferredComponent(
  async () => (await import('./PeopleFilter.tsx')).PeopleFilterList,
)
export const LazyTagsPanel = createDeferredComponent(async () => (await import('./TagsPanel.tsx')).TagsPanel)
export const LazyFilterBarActions = createDeferredComponent(
  async () => (await import('./FilterBarActions.tsx')).FilterBarActions,
)

export const LazyNewEventsButton = createDeferredComponent(
  async () => (await import('./NewEventsButton.tsx')).NewEventsButton,
)
export const LazyWeekRow = createDeferredComponent(async () => (await import('./WeekRow.tsx')).WeekRow)
export const LazySelectionBar = createDeferredComponent(async () => (await import('./SelectionBar.tsx')).SelectionBar)

/** Error view in its own chunk, so that the page can preload it before the connection is lost. */
export const LazyListError = createDeferredComponent(async () => (await import('./ListError.tsx')).ListError)

export const LazyEmptyList = createDeferredComponent(async () => (await import('./ListStates.tsx')).EmptyList)
export const LazyListNotice = createDeferredComponent(async () => (await import('./ListStates.tsx')).ListNotice)
export const LazyRetentionNotice = createDeferredComponent(
  async () => (await import('./RetentionNotice.tsx')).RetentionNotice,
)
export const LazyNoEventsYet = createDeferredComponent(async () => (await import('./NoEventsYet.tsx')).NoEventsYet)

export const LazySyncedPlayback = createDeferredComponent(
  async () => (await import('../synced-playback/SyncedPlayback.tsx')).SyncedPlayback,
  { styles: syncedPlaybackStyles },
)
