import { useStore } from '@nanostores/react'
import { useDeferredValue, useEffect } from 'react'
import { yieldToMain } from '../../stores/shell/yield-to-main.ts'
import { loadWithRetry } from '../../media/load-with-retry.ts'
import { loadDevices } from '../../stores/home/devices.ts'
import { $hasNoCamera } from '../../stores/home/has-no-camera.ts'
import { $isClipShown } from '../../stores/events/clip-visibility.ts'
import { $isClipOpen, $syncedMoment, openSearch } from '../../stores/events/event-url.ts'
import { startEvents } from '../../stores/events/events.ts'
import { $peopleUndo } from '../../stores/people/undo.ts'
import { $isPageHydrated, $videoSearchModal } from '../../stores/shell/search-dialog.ts'
import { EventPanel } from './parts/EventPanel.tsx'
import { FilterBar } from './parts/FilterBar.tsx'
import {
  LazyNoEventsYet,
  LazyEventsOverview,
  LazyListError,
  LazyClipStage,
  LazySyncedPlayback,
} from './parts/lazy-parts.tsx'
import { OVERVIEW_SKELETON } from './parts/skeletons.tsx'
import { LazyNameUndo } from './person-names/lazy-parts.tsx'
import { useIsPhone, useIsWide } from '../../ui/use-media.ts'
import './events.css'

/** Starts what the list does not need, after the task that hydrates the page. */
async function startParts(): Promise<void> {
  await yieldToMain()
  void loadDevices()
  // Preloads the error view, because the browser cannot load it after the connection is lost.
  void loadWithRetry(() => import('./parts/preload-when-idle.ts')).then((later) =>
    later.preloadWhenIdle(LazyListError.preload, LazyClipStage.preload),
  )
  await yieldToMain()
  $isPageHydrated.set(true)
}

/** `/events`: list of events by day, and the clip of the open event. */
export default function Events() {
  const isOpen = useStore($isClipOpen)
  // Deferred, because the list and the overview change together. Both wait for the clip's first frame.
  const isListCovered = useDeferredValue(useStore($isClipShown))
  const isPhone = useIsPhone()
  const isWide = useIsWide()
  const isSearching = useStore($videoSearchModal)
  const isSyncedPlayback = useStore($syncedMoment) !== null
  const canUndo = useStore($peopleUndo) !== null
  const hasNoCamera = useStore($hasNoCamera)
  useEffect(() => {
    void startParts()
    return startEvents()
  }, [])
  if (hasNoCamera) return <LazyNoEventsYet props={{}} />

  return (
    <div className="flex h-[calc(100dvh-64px)] flex-col">
      <div className="contents" inert={isSearching || isSyncedPlayback}>
        {isPhone !== true && (
          <div className="filter-row">
            <h1 className="sr-only">Events</h1>
            <button type="button" className="input search-entry" onClick={openSearch}>
              Describe what happened
            </button>
            <FilterBar />
          </div>
        )}
        <div className="grid min-h-0 flex-1 max-lg:flex max-lg:flex-col-reverse md:gap-3 md:px-3 md:pb-3 lg:grid-cols-[336px_minmax(0,1fr)] xl:grid-cols-[396px_minmax(0,1fr)]">
          <EventPanel isPhone={isPhone} isCovered={isPhone === true && isOpen && isListCovered} />
          <div
            data-column
            className={`flex min-h-0 flex-col gap-3 lg:overflow-y-auto lg:rounded-[20px] ${isOpen ? '' : 'max-lg:hidden'} max-md:bg-page max-lg:flex-none max-lg:overflow-y-auto max-md:fixed max-md:inset-0 max-md:top-16 max-md:z-20`}
          >
            {isOpen && !isSyncedPlayback && (
              <LazyClipStage
                props={{}}
                fallback={<div className="stage flex-none max-md:min-h-full max-md:rounded-none! md:h-[460px]" />}
              />
            )}
            <div className="flex flex-auto flex-col gap-3 max-lg:hidden">
              {isWide !== false && (
                <LazyEventsOverview props={{ compact: isListCovered }} fallback={OVERVIEW_SKELETON} />
              )}
            </div>
          </div>
        </div>
      </div>
      {canUndo && <LazyNameUndo props={{}} />}
      {isSyncedPlayback && (
        <LazySyncedPlayback props={{}} fallback={<div className="stage fixed inset-0 top-16 z-30" />} />
      )}
    </div>
  )
}
