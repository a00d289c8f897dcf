import type { KeyboardEvent } from 'react'
import { findNeighborTick, type Tick } from '../../../domain/events/timeline-ticks.ts'
import { openSyncedMoment } from '../../../stores/events/synced-playback.ts'
import { panTimeline, zoomTimeline } from '../../../stores/events/timeline.ts'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { openClip } from './gestures.ts'
import { createCursorAtTick, createCursorAtTime, type CameraStrip } from './camera-strips.ts'

/**
 * Handles a strip's keyboard shortcuts. Left, Right, Home and End select events; Left and Right with Shift select
 * segments. Up and Down change the row, Page Up and Page Down pan, + and - zoom. Enter opens the clip of the selected
 * event, and A opens synced playback at the cursor.
 */
export function onStripKey(key: KeyboardEvent<HTMLElement>, strip: CameraStrip, goToRow: (step: 1 | -1) => void): void {
  const { view, ticks } = strip
  const cursor = $timelineCursor.get()
  const ownCursor = cursor?.deviceId === strip.camera.device_id ? cursor : null
  const at = ownCursor?.at ?? view.end
  const selectTick = (tick: Tick | null | undefined) => tick && $timelineCursor.set(createCursorAtTick(strip, tick))
  const length = view.end - view.begin
  const actions: Record<string, () => void> = {
    ArrowLeft: () =>
      key.shiftKey ? moveToNeighborSegment(strip, at, -1) : selectTick(findNeighborTick(ticks, at, -1)),
    ArrowRight: () => (key.shiftKey ? moveToNeighborSegment(strip, at, 1) : selectTick(findNeighborTick(ticks, at, 1))),
    Home: () => selectTick(ticks[0]),
    End: () => selectTick(ticks.at(-1)),
    ArrowUp: () => goToRow(-1),
    ArrowDown: () => goToRow(1),
    PageUp: () => panTimeline(-length / 2),
    PageDown: () => panTimeline(length / 2),
    '+': () => zoomTimeline(1 / 2, ownCursor?.at),
    '-': () => zoomTimeline(2, ownCursor?.at),
    a: () => ownCursor && openSyncedMoment(ownCursor.tick?.at ?? ownCursor.at),
    Enter: () => ownCursor?.tick && ownCursor.event && openClip(ownCursor.event),
  }
  const action = actions[key.key]
  if (!action || key.ctrlKey || key.metaKey || key.altKey) return
  key.preventDefault()
  key.stopPropagation()
  action()
}

function moveToNeighborSegment(strip: CameraStrip, at: number, direction: 1 | -1): void {
  const { visible } = strip
  const index = visible.findIndex(({ run: [from, to] }) => from <= at && at < to)
  const next = visible[index < 0 ? visible.length - 1 : Math.max(0, Math.min(visible.length - 1, index + direction))]
  if (next) $timelineCursor.set(createCursorAtTime(strip, next.run[0]))
}
