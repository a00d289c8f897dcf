import { deferPart } from './defer.tsx'

/** The player, whose script comes when somebody reaches for an event. */
export const { Later: Stage, preload: preloadStage } = deferPart(async () =>
  (await import('./lazy-clip-stage.ts')).stage(),
)

/** What opens a fold. */
export const { Later: FoldButton } = deferPart(async () => (await import('./lazy-clip-stage.ts')).foldButton())

/** The clip that plays in a card while it is pointed at. */
export const { Later: HoverClip } = deferPart(async () => (await import('./HoverClip.tsx')).HoverClip)

/** The list in numbers, in time and by hours. */
export const { Later: Overview } = deferPart(async () => (await import('../timeline/lazy-timeline.ts')).overview())

/** What the filter's menus hold. */
export const { Later: Dates } = deferPart(async () => (await import('./DateFilter.tsx')).Dates)
export const { Later: People } = deferPart(async () => (await import('./PeopleFilter.tsx')).People)
export const { Later: TagsPanel } = deferPart(async () => (await import('./TagsPanel.tsx')).TagsPanel)

/** What the filter bar ends with. */
export const { Later: BarEnd } = deferPart(async () => (await import('./FilterBarActions.tsx')).BarEnd)

/** A phone's row of days. */
export const { Later: WeekRow } = deferPart(async () => (await import('./WeekRow.tsx')).WeekRow)

/** A phone's strip of one camera above the list, and its filters. */
export const { Later: PhoneStrip } = deferPart(async () => (await import('../timeline/lazy-timeline.ts')).phoneStrip())
export const { Later: PhoneFilters } = deferPart(async () =>
  (await import('../timeline/lazy-timeline.ts')).phoneFilters(),
)

/** What is done with chosen events. */
export const { Later: SelectionBar } = deferPart(async () => (await import('./SelectionBar.tsx')).SelectionBar)

/** What stands in the list's place without a connection: alone, so that it is here early. */
export const { Later: FailedList, preload: preloadFailed } = deferPart(
  async () => (await import('./ListError.tsx')).FailedList,
)

/** What stands in the list's place, or above it, when something is missing. */
export const { Later: EmptyList } = deferPart(async () => (await import('./ListStates.tsx')).EmptyList)
export const { Later: ListNotice } = deferPart(async () => (await import('./ListStates.tsx')).ListNotice)

/** What stands below the list when its days begin before anything is kept. */
export const { Later: KeptLine } = deferPart(async () => (await import('./RetentionNotice.tsx')).KeptLine)

/** What stands in the page's place while there is no camera. */
export const { Later: NoEventsYet } = deferPart(async () => (await import('./NoEventsYet.tsx')).NoEventsYet)

/** One moment on all cameras, in step. */
export const { Later: SameTime } = deferPart(async () =>
  (await import('../synced-playback/lazy-synced-playback.ts')).dressed(),
)
