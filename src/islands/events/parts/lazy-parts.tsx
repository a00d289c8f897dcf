import { deferPart } from './defer.tsx'

/** Player; its script loads when a pointer reaches the list. */
export const { Later: Stage, preload: preloadStage } = deferPart(async () =>
  (await import('./lazy-clip-stage.ts')).stage(),
)

export const { Later: FoldButton } = deferPart(async () => (await import('./lazy-clip-stage.ts')).foldButton())

export const { Later: HoverClip } = deferPart(async () => (await import('./HoverClip.tsx')).HoverClip)

export const { Later: Overview } = deferPart(async () => (await import('../timeline/lazy-timeline.ts')).overview())

export const { Later: Dates } = deferPart(async () => (await import('./DateFilter.tsx')).Dates)
export const { Later: People } = deferPart(async () => (await import('./PeopleFilter.tsx')).PeopleFilterList)
export const { Later: TagsPanel } = deferPart(async () => (await import('./TagsPanel.tsx')).TagsPanel)

export const { Later: BarEnd } = deferPart(async () => (await import('./FilterBarActions.tsx')).BarEnd)

export const { Later: WeekRow } = deferPart(async () => (await import('./WeekRow.tsx')).WeekRow)

export const { Later: PhoneStrip } = deferPart(async () => (await import('../timeline/lazy-timeline.ts')).phoneStrip())
export const { Later: PhoneFilters } = deferPart(async () =>
  (await import('../timeline/lazy-timeline.ts')).phoneFilters(),
)

export const { Later: SelectionBar } = deferPart(async () => (await import('./SelectionBar.tsx')).SelectionBar)

/** Error view in its own chunk, so that it loads early. */
export const { Later: FailedList, preload: preloadFailed } = deferPart(
  async () => (await import('./ListError.tsx')).FailedList,
)

export const { Later: EmptyList } = deferPart(async () => (await import('./ListStates.tsx')).EmptyList)
export const { Later: ListNotice } = deferPart(async () => (await import('./ListStates.tsx')).ListNotice)

export const { Later: KeptLine } = deferPart(async () => (await import('./RetentionNotice.tsx')).KeptLine)

export const { Later: NoEventsYet } = deferPart(async () => (await import('./NoEventsYet.tsx')).NoEventsYet)

export const { Later: SameTime } = deferPart(async () =>
  (await import('../synced-playback/lazy-synced-playback.ts')).dressed(),
)
