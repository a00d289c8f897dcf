import { type RefObject, useEffect, useRef } from 'react'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { TimelineGestures } from './gestures.ts'
import type { CameraStrip } from './camera-strips.ts'

/** Attaches pointer gestures to the strips inside `grid`. */
export function useTimelineGestures(grid: RefObject<HTMLElement | null>, strips: readonly CameraStrip[]): void {
  const currentStrips = useRef(strips)
  useEffect(() => {
    currentStrips.current = strips
  }, [strips])
  useEffect(() => {
    const element = grid.current
    if (!element) return
    const stop = new TimelineGestures(element, (id) =>
      currentStrips.current.find(({ camera }) => camera.device_id === id),
    ).start()
    return () => {
      stop()
      $timelineCursor.set(null)
    }
  }, [grid])
}
