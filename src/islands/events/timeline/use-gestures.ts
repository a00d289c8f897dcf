import { type RefObject, useEffect, useRef } from 'react'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { TimelineGestures } from './gestures.ts'
import type { CameraStrip } from './camera-strips.ts'

/** Attaches pointer gestures to the strips inside `grid`. */
export function useTimelineGestures(grid: RefObject<HTMLElement | null>, lanes: readonly CameraStrip[]): void {
  const currentLanes = useRef(lanes)
  useEffect(() => {
    currentLanes.current = lanes
  }, [lanes])
  useEffect(() => {
    const element = grid.current
    if (!element) return
    const stop = new TimelineGestures(element, (id) =>
      currentLanes.current.find(({ camera }) => camera.device_id === id),
    ).start()
    return () => {
      stop()
      $timelineCursor.set(null)
    }
  }, [grid])
}
