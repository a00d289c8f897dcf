import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { formatPercent } from '../../../domain/copy/counts.ts'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import type { SyncedCameraState } from '../../../media/sync/synced-player.ts'
import { $clipExport, exportEventClips } from '../../../stores/events/event-export.ts'

const SAVE_LABELS = [
  '',
  'Download',
  'Download both',
  'Download all 3',
  'Download all 4',
  'Download all 5',
  'Download all 6',
  'Download all 7',
  'Download all 8',
]

export function SaveAllClips({
  cameras,
  playing,
}: {
  cameras: readonly CameraClips[]
  playing: readonly SyncedCameraState[]
}) {
  const saving = useStore($clipExport)
  const ids = new Set(playing.map(({ id }) => id))
  const events = cameras.flatMap(({ clips }) =>
    clips.map(({ event }) => event).filter(({ event_id }) => ids.has(event_id)),
  )
  return (
    <button
      type="button"
      className="btn btn-white same-time-save"
      disabled={saving !== null}
      title="Download these clips as one file"
      onClick={() => void exportEventClips(events)}
    >
      <Download size={18} aria-hidden />
      {saving
        ? formatPercent(Math.round(saving.share * 100))
        : (SAVE_LABELS[events.length] ?? `Download all ${events.length}`)}
    </button>
  )
}
