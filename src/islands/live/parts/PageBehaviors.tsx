import { useStore } from '@nanostores/react'
import { useEffect, useState, type ComponentType } from 'react'
import { syncOpenCameraWithUrl } from '../../../stores/live/open-camera-url.ts'
import { $openDialog, closeLiveDialog, type LiveDialogState } from '../../../stores/live/camera-dialog.ts'
import { watchAccountSettings, loadCameraFilter } from '../../../stores/live/camera-filter.ts'
import { logTileChanges } from '../../../stores/live/connection-log.ts'
import { $announcement } from '../../../stores/live/screen-reader-announcement.ts'
import { loadEnrollment } from '../../../stores/account/search-enrollment.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { watchTileDrags } from './drag-tiles.ts'
import { watchShortcuts } from './page-shortcuts.ts'
import { prefetchDialogs, loadDialogs } from './load-dialogs.ts'

let loadedDialogs: ComponentType<{ open: LiveDialogState }> | null = null

/** Page behavior without visible elements (shortcuts, dragging, URL, camera filter, search), and the open dialog. */
export function PageBehaviors() {
  const open = useStore($openDialog)
  const announcement = useStore($announcement)
  useEffect(watchShortcuts, [])
  useEffect(watchTileDrags, [])
  useEffect(syncOpenCameraWithUrl, [])
  useEffect(logTileChanges, [])
  useEffect(syncFilter, [])
  useEffect(prefetchDialogs, [])
  useEffect(openAddCameraFromUrl, [])
  useEffect(() => void loadEnrollment(), [])
  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {open && <DeferredDialogs open={open} />}
    </>
  )
}

/** Opens the add-camera view for `/live?add`, and removes the parameter from the URL. */
function openAddCameraFromUrl(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('add')) return
  url.searchParams.delete('add')
  history.replaceState(history.state, '', url)
  $openDialog.set({ kind: 'add' })
}

/** Renders the open dialog. Loads the dialogs' script and styles first if they are missing. */
function DeferredDialogs({ open }: { open: LiveDialogState }) {
  const [Dialogs, setDialogs] = useState(() => loadedDialogs)
  useEffect(() => {
    if (Dialogs) return
    loadDialogs().then(
      (dialogs) => {
        loadedDialogs = dialogs
        setDialogs(() => loadedDialogs)
      },
      () => {
        closeLiveDialog()
        showToast('error', 'This part of the page did not load. Check your connection and try again.')
      },
    )
  }, [Dialogs])
  return Dialogs && <Dialogs open={open} />
}

/** Loads the camera filter immediately and when the page becomes visible: another browser may have changed it. */
function syncFilter(): () => void {
  const load = () => void (document.hidden || loadCameraFilter())
  load()
  document.addEventListener('visibilitychange', load)
  const unsubscribe = watchAccountSettings(load)
  return () => {
    document.removeEventListener('visibilitychange', load)
    unsubscribe()
  }
}
