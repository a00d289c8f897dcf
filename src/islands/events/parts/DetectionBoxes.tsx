import { type RefObject, useEffect, useRef } from 'react'
import type { DetectionTrack } from '../../../../contract/events/detections.ts'
import { foundName, detectionsText, type DetectionRect, placeAt } from '../../../domain/events/detection-boxes.ts'
import { containedIn, watchFrames } from '../../../media/clip/watch-frames.ts'

interface FoundBoxesProps {
  readonly video: RefObject<HTMLVideoElement | null>
  readonly tracks: readonly DetectionTrack[]
}

export function FoundBoxes({ video, tracks }: FoundBoxesProps) {
  const picture = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = video.current
    const frame = picture.current
    return element && frame ? syncBoxes(element, frame, tracks) : undefined
  }, [video, tracks])
  return (
    <div ref={picture} role="img" aria-label={detectionsText(tracks)} className="found-picture">
      {tracks.map(({ kind }, i) => (
        <div key={i} hidden data-found={kind} className="found-box">
          <span>{foundName(kind)}</span>
        </div>
      ))}
    </div>
  )
}

/** Moves the boxes with the frames. Bypasses React, which would re-render the player for each frame. */
function syncBoxes(video: HTMLVideoElement, frame: HTMLElement, tracks: readonly DetectionTrack[]): () => void {
  const boxes = [...frame.children] as HTMLElement[]
  const fit = () => {
    if (video.videoWidth === 0) return
    const { left, top, width, height } = containedIn(
      { width: video.clientWidth, height: video.clientHeight },
      { width: video.videoWidth, height: video.videoHeight },
    )
    Object.assign(frame.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
  }
  const observer = new ResizeObserver(fit)
  observer.observe(video)
  video.addEventListener('resize', fit)
  fit()
  const stop = watchFrames(video, (second) => {
    tracks.forEach((track, i) => draw(boxes[i], placeAt(track, second)))
  })
  return () => {
    stop()
    observer.disconnect()
    video.removeEventListener('resize', fit)
  }
}

/** Space that a label needs above a box, as a share of the frame. */
const NAME_ROOM = 0.08

function draw(box: HTMLElement | undefined, place: DetectionRect | null): void {
  if (!box) return
  box.hidden = place === null
  if (!place) return
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`
  Object.assign(box.style, {
    left: percent(place.x),
    top: percent(place.y),
    width: percent(place.w),
    height: percent(place.h),
  })
  box.toggleAttribute('data-inside', place.y < NAME_ROOM)
}
