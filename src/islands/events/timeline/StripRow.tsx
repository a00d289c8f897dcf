import { useStore } from '@nanostores/react'
import { computed } from 'nanostores'
import { memo, useMemo } from 'react'
import { formatOnTime, totalsText } from '../../../domain/events/timeline-totals.ts'
import { $openCamera } from '../../../stores/events/event-url.ts'
import { $timeline } from '../../../stores/events/timeline.ts'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { createCursorAtTime, type CameraStrip } from './camera-strips.ts'
import { screenReaderText } from './cursor-labels.ts'
import { StripCanvas } from '../../../ui/StripCanvas.tsx'
import { onStripKey } from './strip-keys.ts'

interface StripRowProps {
  readonly lane: CameraStrip
  readonly now: number
  readonly row: number
  readonly isTabStop: boolean
  readonly isPhone: boolean
  readonly onRow: (row: number) => void
}

export const StripRow = memo(function StripRow({ lane, now, row, isTabStop, isPhone, onRow }: StripRowProps) {
  const { camera, view, totals } = lane
  const cursor = useStore(useMemo(() => createCameraCursor(camera.device_id), [camera.device_id]))
  const openCamera = useStore($openCamera)
  const isOpen = camera.device_id === openCamera
  const isLoading = useStore($timeline).state === 'loading'
  const focusRow = (grid: Element | null, step: 1 | -1) => {
    onRow(row + step)
    grid?.querySelectorAll<HTMLElement>('[role=gridcell]')[row + step]?.focus()
  }
  return (
    <div role="row" className="tl-row" data-open={isOpen || undefined}>
      <span role="rowheader" className="tl-name">
        {camera.nickname}
      </span>
      <div
        role="gridcell"
        tabIndex={isTabStop ? 0 : -1}
        aria-label={screenReaderText(lane, cursor, now)}
        data-strip={camera.device_id}
        className="tl-cell"
        onKeyDown={(key) => onStripKey(key, lane, (step) => focusRow(key.currentTarget.closest('[role=grid]'), step))}
        onFocus={(focus) =>
          focus.currentTarget.matches(':focus-visible') &&
          !cursor &&
          $timelineCursor.set(createCursorAtTime(lane, view.end - 1))
        }
        onBlur={() => $timelineCursor.set(null)}
      >
        {isLoading && <i aria-hidden className="skeleton tl-strip" />}
        <StripCanvas lane={lane} selectedTick={cursor?.tick ?? null} />
      </div>
      <span aria-hidden className="tl-sum">
        {isLoading && <i className="skeleton tl-bar" />}
        {totals && (isPhone ? totalsText(totals, view) : formatOnTime(totals, view))}
      </span>
    </div>
  )
})

const createCameraCursor = (deviceId: string) =>
  computed($timelineCursor, (cursor) => (cursor?.deviceId === deviceId ? cursor : null))
