import { Suspense } from 'react'
import { closeLiveDialog } from '../../../stores/live/camera-dialog.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LazyAddCamera } from './lazy-add-camera.ts'

export function AddDialog() {
  return (
    <Dialog title="Add a camera" onClose={closeLiveDialog}>
      <Suspense>
        <LazyAddCamera isFirst={false} />
      </Suspense>
    </Dialog>
  )
}
