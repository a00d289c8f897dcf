import { useStore } from '@nanostores/react'
import CheckCheck from 'lucide-react/icons/check-check'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Trash2 from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { formatNumber, formatPercent } from '../../../domain/copy/counts.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { $eventFilter } from '../../../stores/events/event-url.ts'
import { rangeLabel } from '../../../domain/time/list-date-formats.ts'
import {
  $clipExport,
  cancelClipExport,
  exportEventClips,
  MAX_EXPORT_CLIPS,
} from '../../../stores/events/event-export.ts'
import {
  deleteEventsOfOwner,
  dismissDeletionUndo,
  toggleReviewed,
  undoDeletion,
} from '../../../stores/events/event-deletion.ts'
import {
  $deletedEvents,
  $selectedEvents,
  clearEventSelection,
  selectAllEvents,
} from '../../../stores/events/event-selection.ts'
import { $filteredEvents } from '../../../stores/events/events.ts'

/**
 * Bar at the bottom of the list: actions for the selected events, else the progress of a clip export, else undo for
 * the events that were just deleted.
 */
export function SelectionBar() {
  const selection = useStore($selectedEvents)
  const deleted = useStore($deletedEvents)
  const exporting = useStore($clipExport)
  if (selection.length > 0) return <SelectionActions />
  if (exporting) return <ExportProgress />
  if (deleted) return <UndoDeletion key={deleted.until} />
  return null
}

const BAR_CLASS =
  'bg-surface border-line shadow-menu absolute inset-x-2 bottom-2 z-30 flex flex-wrap items-center gap-1 rounded-[16px] border p-2'

function SelectionActions() {
  const selection = useStore($selectedEvents)
  const all = useStore($filteredEvents).length
  const isUnseen = selection.some((event) => !event.reviewed)
  const { range } = useStore($eventFilter)
  const days = typeof range === 'object' ? rangeLabel(range.start, range.end) : `last ${range} days`
  const selectAllLabel = `Select all ${formatNumber(all)} (${days})`
  const isTooMany = selection.length > MAX_EXPORT_CLIPS
  const SeenIcon = isUnseen ? Eye : EyeOff
  return (
    <div role="toolbar" aria-label="Selected events" className={BAR_CLASS}>
      <button
        type="button"
        className="icon-btn"
        aria-label="Clear selection"
        title="Clear selection"
        onClick={clearEventSelection}
      >
        <X size={18} aria-hidden />
      </button>
      <p role="status" className="text-small flex-1 font-bold whitespace-nowrap">
        {formatNumber(selection.length)} selected
      </p>
      {selection.length < all && (
        <button
          type="button"
          className="icon-btn"
          aria-label={selectAllLabel}
          title={selectAllLabel}
          onClick={selectAllEvents}
        >
          <CheckCheck size={18} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-btn"
        aria-label={isUnseen ? 'Mark as seen' : 'Mark as unseen'}
        title={isUnseen ? 'Mark as seen' : 'Mark as unseen'}
        onClick={() => void toggleReviewed(selection)}
      >
        <SeenIcon size={18} aria-hidden />
      </button>
      {!isTooMany && (
        <button
          type="button"
          className="icon-btn"
          aria-label="Download"
          title="Download as one file"
          onClick={() => void exportEventClips(selection)}
        >
          <Download size={18} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-btn text-error-ink"
        aria-label="Delete"
        title="Delete"
        onClick={() => void deleteEventsOfOwner(selection)}
      >
        <Trash2 size={18} aria-hidden />
      </button>
      {isTooMany && (
        <div className="flex w-full flex-wrap items-center gap-2 px-2 pb-1">
          <p className="text-small text-ink-2 flex-1">You can download up to {MAX_EXPORT_CLIPS} clips at a time.</p>
          <button
            type="button"
            className="btn btn-soft btn-sm"
            onClick={() => void exportEventClips(selection.slice(0, MAX_EXPORT_CLIPS))}
          >
            <Download size={18} aria-hidden />
            Download newest {MAX_EXPORT_CLIPS} clips
          </button>
        </div>
      )}
    </div>
  )
}

/** Time for which undo is offered; the provider keeps deleted events longer. */
const UNDO_SHOWN_MS = 30_000

function UndoDeletion() {
  const deleted = useStore($deletedEvents)
  useEffect(() => {
    const timer = setTimeout(dismissDeletionUndo, UNDO_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={BAR_CLASS}>
      <p role="status" className="text-small flex-1 px-2 font-bold">
        {eventCountLabel(deleted?.events.length ?? 0)} deleted
      </p>
      <button type="button" className="btn btn-soft btn-sm" onClick={() => void undoDeletion()}>
        Undo
      </button>
      <button type="button" className="icon-btn" aria-label="Close" onClick={dismissDeletionUndo}>
        <X size={18} aria-hidden />
      </button>
    </div>
  )
}

function ExportProgress() {
  const state = useStore($clipExport)
  if (!state) return null
  const percent = Math.round(state.share * 100)
  return (
    <div className={BAR_CLASS}>
      <p role="status" className="text-small flex-1 px-2 font-bold">
        {state.step === 'preparing' ? 'Preparing clips' : 'Downloading'} {formatPercent(percent)}
      </p>
      <progress className="accent-primary h-1.5 w-24" max={1} value={state.share} aria-label="Progress" />
      <button type="button" className="icon-btn" aria-label="Stop" title="Stop" onClick={cancelClipExport}>
        <X size={18} aria-hidden />
      </button>
    </div>
  )
}
