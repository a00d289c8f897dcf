import { useStore } from '@nanostores/react'
import Plus from 'lucide-react/icons/plus'
import { $openDialog } from '../../../stores/live/camera-dialog.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { getEmptyCameraList } from './empty-camera-list.ts'

/** Opens the add-camera dialog. Absent without cameras, because the page then shows the form itself. */
export function AddCameraButton() {
  const hasCameras = useStore($liveCameras, { ssr: getEmptyCameraList }).length > 0
  if (!hasCameras) return null
  return (
    <button
      type="button"
      className="icon-btn live-add"
      aria-haspopup="dialog"
      aria-label="Add a camera"
      title="Add a camera"
      onClick={() => $openDialog.set({ kind: 'add' })}
    >
      <Plus size={20} aria-hidden="true" />
    </button>
  )
}
