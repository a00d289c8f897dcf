import { useStore } from '@nanostores/react'
import CheckCheck from 'lucide-react/icons/check-check'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Trash2 from 'lucide-react/icons/trash-2'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { inFigures } from '../../../domain/copy/counts.ts'
import { countLabel } from '../../../domain/copy/event-labels.ts'
import { $export, cancelExport, exportSelected } from '../../../stores/events/event-export.ts'
import { deleteSelected, discardDeleted, markSelected, undoDelete } from '../../../stores/events/event-deletion.ts'
import { $deleted, $selection, clearSelection, selectAll } from '../../../stores/events/event-selection.ts'
import { $filteredEvents } from '../../../stores/events/events.ts'

/** Bar at the bottom of the list: actions for the selected events, or undo for the events just deleted. */
export function SelectionBar() {
  const selection = useStore($selection)
  const deleted = useStore($deleted)
  const exporting = useStore($export)
  if (selection.length > 0) return <Chosen />
  if (exporting) return <Exporting />
  if (deleted) return <Undo key={deleted.until} />
  return null
}

const BAR =
  'bg-surface border-line shadow-menu absolute inset-x-2 bottom-2 z-30 flex flex-wrap items-center gap-1 rounded-[16px] border p-2'

function Chosen() {
  const selection = useStore($selection)
  const all = useStore($filteredEvents).length
  const isUnseen = selection.some((event) => !event.reviewed)
  const Seen = isUnseen ? Eye : EyeOff
  return (
    <div role="toolbar" aria-label="Chosen events" className={BAR}>
      <button type="button" className="icon-btn" aria-label="Choose none" title="Choose none" onClick={clearSelection}>
        <X size={18} aria-hidden />
      </button>
      <p role="status" className="text-small flex-1 font-bold whitespace-nowrap">
        {inFigures(selection.length)} chosen
      </p>
      {selection.length < all && (
        <button
          type="button"
          className="icon-btn"
          aria-label={`Choose all ${all}`}
          title="Choose all"
          onClick={selectAll}
        >
          <CheckCheck size={18} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-btn"
        aria-label={isUnseen ? 'Mark as seen' : 'Mark as not seen'}
        title={isUnseen ? 'Mark as seen' : 'Mark as not seen'}
        onClick={() => void markSelected(selection)}
      >
        <Seen size={18} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-btn"
        aria-label="Download"
        title="Download as one file"
        onClick={() => void exportSelected(selection)}
      >
        <Download size={18} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-btn text-error-ink"
        aria-label="Delete"
        title="Delete"
        onClick={() => void deleteSelected(selection)}
      >
        <Trash2 size={18} aria-hidden />
      </button>
    </div>
  )
}

/** Time for which undo is offered; the provider keeps deleted events longer. */
const UNDO_SHOWN_MS = 30_000

function Undo() {
  const deleted = useStore($deleted)
  useEffect(() => {
    const timer = setTimeout(discardDeleted, UNDO_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={BAR}>
      <p role="status" className="text-small flex-1 px-2 font-bold">
        {countLabel(deleted?.events.length ?? 0)} deleted
      </p>
      <button type="button" className="btn btn-soft btn-sm" onClick={() => void undoDelete()}>
        Undo
      </button>
      <button type="button" className="icon-btn" aria-label="Close" onClick={discardDeleted}>
        <X size={18} aria-hidden />
      </button>
    </div>
  )
}

function Exporting() {
  const state = useStore($export)
  if (!state) return null
  const percent = Math.round(state.share * 100)
  return (
    <div className={BAR}>
      <p role="status" className="text-small flex-1 px-2 font-bold">
        {state.step === 'preparing' ? 'Gathering clips' : 'Downloading'} {percent}%
      </p>
      <progress className="accent-primary h-1.5 w-24" max={1} value={state.share} aria-label="Progress" />
      <button type="button" className="icon-btn" aria-label="Stop" title="Stop" onClick={cancelExport}>
        <X size={18} aria-hidden />
      </button>
    </div>
  )
}
