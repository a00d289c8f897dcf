import { type RefObject, useEffect, useRef } from 'react'
import type { DetectionTrack } from '../../../../contract/events/detections.ts'
import {
  formatDetectionKind,
  detectionsText,
  type DetectionRect,
  interpolateBox,
} from '../../../domain/events/detection-boxes.ts'
import { getContainedRect, watchFrames } from '../../../media/clip/watch-frames.ts'

interface DetectionBoxesProps {
  readonly video: RefObject<HTMLVideoElement | null>
  readonly tracks: readonly DetectionTrack[]
}

export function DetectionBoxes({ video, tracks }: DetectionBoxesProps) {
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
          <span>{formatDetectionKind(kind)}</span>
        </div>
      ))}
    </div>
  )
}

/** Moves the boxes with the frames. Bypasses React, which would re-render the player for each frame. */
function syncBoxes(video: HTMLVideoElement, frame: HTMLElement, tracks: readonly DetectionTrack[]): () => void {
  const boxes = [...frame.children] as HTMLElement[]
  const fitToVideo = () => {
    if (video.videoWidth === 0) return
    const { left, top, width, height } = getContainedRect(
      { width: video.clientWidth, height: video.clientHeight },
      { width: video.videoWidth, height: video.videoHeight },
    )
    Object.assign(frame.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
  }
  const observer = new ResizeObserver(fitToVideo)
  observer.observe(video)
  video.addEventListener('resize', fitToVideo)
  fitToVideo()
  const stop = watchFrames(video, (second) => {
    tracks.forEach((track, i) => positionBox(boxes[i], interpolateBox(track, second)))
  })
  return () => {
    stop()
    observer.disconnect()
    video.removeEventListener('resize', fitToVideo)
  }
}

/** Space that a label needs above a box, as a share of the frame height. */
const LABEL_HEIGHT_SHARE = 0.08

function positionBox(box: HTMLElement | undefined, rect: DetectionRect | null): void {
  if (!box) return
  box.hidden = rect === null
  if (!rect) return
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`
  Object.assign(box.style, {
    left: percent(rect.x),
    top: percent(rect.y),
    width: percent(rect.w),
    height: percent(rect.h),
  })
  box.toggleAttribute('data-inside', rect.y < LABEL_HEIGHT_SHARE)
}
