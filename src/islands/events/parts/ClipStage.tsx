import { useStore } from '@nanostores/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import X from 'lucide-react/icons/x'
import { useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react'
import { $isClipShown } from '../../../stores/events/clip-visibility.ts'
import { $clip, $currentEvent } from '../../../stores/events/open-clip.ts'
import { closeEvent } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $eventTags, returnToPreviousRoute, getReturnRoute } from '../../../stores/events/event-tags.ts'
import { useAfterPaint } from '../../../ui/use-after-paint.ts'
import { ClipHour } from './ClipHour.tsx'
import { ClipInfo } from './ClipInfo.tsx'
import { ClipPicture } from './ClipPicture.tsx'
import { removeEarlyStage, STAGE_CLASSES } from './early-stage.ts'
import { Player } from './Player.tsx'
import { useCloseOnEscape, useNavigationKeys } from './use-clip-keys.ts'
import { useIsPhone } from '../../../ui/use-media.ts'

/** Clip and details of the open event. On phones, they cover the event list. */
export function ClipStage() {
  const clip = useStore($clip)
  const event = useStore($currentEvent)
  // Deferred, so that the next clip is painted first.
  const hourEvent = useDeferredValue(event)
  // Subscribes to this store, because `getReturnRoute` reads the previous route from it.
  useStore($eventTags)
  const names = useStore($cameraNames)
  const isPhone = useIsPhone()
  // Content that scans the list or fetches other clips renders after the first frame.
  const isShown = useClipShown(clip.state !== 'ready')
  const backButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isPhone) backButton.current?.focus()
  }, [isPhone])
  // The player has moved the video from the early stage.
  useLayoutEffect(removeEarlyStage, [])
  useNavigationKeys()
  useCloseOnEscape()
  if (clip.state === 'none') return null

  return (
    <section aria-label="Clip" className={STAGE_CLASSES}>
      <div className="relative min-w-0">
        {clip.state === 'ready' ? <Player clip={clip} /> : <ClipPicture clip={clip} />}
        {isPhone && (
          <button
            ref={backButton}
            type="button"
            className="pill absolute! top-2.5 left-2.5 z-10 h-9! rounded-full! pl-1.5! text-[14px]! after:absolute after:-inset-1"
            onClick={() => returnToPreviousRoute(closeEvent)}
          >
            <ChevronLeft size={20} aria-hidden />
            {getReturnRoute() ? 'Back' : 'Events'}
          </button>
        )}
        {hourEvent && isShown && isPhone === false && (
          <ClipHour event={hourEvent} camera={names.get(hourEvent.device_id) ?? ''} />
        )}
      </div>
      {event && <ClipInfo event={event} canDownload={clip.state === 'ready'} isShown={isShown} />}
      {!isPhone && (
        <button
          type="button"
          className="icon-btn absolute! top-3.5 right-3.5 z-10 lg:max-xl:top-5.5 lg:max-xl:right-5.5 lg:max-xl:bg-[rgb(16_11_23/.7)]!"
          aria-label="Close clip"
          title="Close (Esc)"
          onClick={() => returnToPreviousRoute(closeEvent)}
        >
          <X size={20} aria-hidden />
        </button>
      )}
    </section>
  )
}

/** Returns true once the clip shows a frame, or once the stage is painted if it has no video. */
function useClipShown(hasNoVideo: boolean): boolean {
  const isPainted = useAfterPaint()
  useEffect(() => {
    if (isPainted && hasNoVideo) $isClipShown.set(true)
  }, [isPainted, hasNoVideo])
  useEffect(() => () => $isClipShown.set(false), [])
  return useStore($isClipShown)
}
