import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { untilLoaded } from '../../../media/until-loaded.ts'

/**
 * A component whose script comes later; `fallback` stands in its place. Not React's `lazy`, which costs every first click
 * 300 ms: so long React holds back whatever takes the place of a Suspense fallback.
 */
function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null
  const preload = async () => void (loaded ??= await untilLoaded(load))

  function Later({ fallback, props }: { fallback: ReactNode; props: Props }) {
    const [Component, show] = useState(() => loaded)
    useEffect(() => {
      if (!Component) void preload().then(() => show(() => loaded))
    }, [Component])
    return Component ? <Component {...props} /> : fallback
  }
  return { Later, preload }
}

/** The player, whose script comes when somebody reaches for an event. */
export const { Later: Stage, preload: preloadStage } = later(async () => (await import('./dressed.ts')).stage())

/** Naming a person on a clip, and undoing it. */
export const { Later: WhoIsThis } = later(async () => (await import('../who/dressed.ts')).whoIsThis())
export const { Later: NameUndo } = later(async () => (await import('../who/dressed.ts')).nameUndo())

/** What opens a fold. */
export const { Later: FoldButton } = later(async () => (await import('./dressed.ts')).foldButton())

/** The clip that plays in a card while it is pointed at. */
export const { Later: HoverClip } = later(async () => (await import('./HoverClip.tsx')).HoverClip)

/** The list in numbers, in time and by hours. */
export const { Later: Overview } = later(async () => (await import('../timeline/dressed.ts')).overview())

/** What the filter's menus hold. */
export const { Later: Dates } = later(async () => (await import('./Dates.tsx')).Dates)
export const { Later: People } = later(async () => (await import('./People.tsx')).People)
export const { Later: TagsPanel } = later(async () => (await import('./TagsPanel.tsx')).TagsPanel)

/** What the filter bar ends with. */
export const { Later: BarEnd } = later(async () => (await import('./BarEnd.tsx')).BarEnd)

/** A phone's row of days. */
export const { Later: WeekRow } = later(async () => (await import('./WeekRow.tsx')).WeekRow)

/** A phone's strip of one camera above the list, and its filters. */
export const { Later: PhoneStrip } = later(async () => (await import('../timeline/dressed.ts')).phoneStrip())
export const { Later: PhoneFilters } = later(async () => (await import('../timeline/dressed.ts')).phoneFilters())

/** What is done with chosen events. */
export const { Later: SelectionBar } = later(async () => (await import('./SelectionBar.tsx')).SelectionBar)

/** What stands in the list's place without a connection: alone, so that it is here early. */
export const { Later: FailedList, preload: preloadFailed } = later(
  async () => (await import('./FailedList.tsx')).FailedList,
)

/** What stands in the list's place, or above it, when something is missing. */
export const { Later: EmptyList } = later(async () => (await import('./ListStates.tsx')).EmptyList)
export const { Later: ListNotice } = later(async () => (await import('./ListStates.tsx')).ListNotice)

/** What stands below the list when its days begin before anything is kept. */
export const { Later: KeptLine } = later(async () => (await import('./KeptLine.tsx')).KeptLine)

/** What stands in the page's place while there is no camera. */
export const { Later: NoEventsYet } = later(async () => (await import('./NoEventsYet.tsx')).NoEventsYet)

/** One moment on all cameras, in step. */
export const { Later: SameTime } = later(async () => (await import('../same-time/dressed.ts')).dressed())
