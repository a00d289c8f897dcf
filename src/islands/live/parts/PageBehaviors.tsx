import { useStore } from '@nanostores/react'
import { useEffect, useState, type ComponentType } from 'react'
import { syncOpenCameraWithUrl } from '../../../stores/live/open-camera-url.ts'
import { $openDialog, closeDialog, type LiveDialogState } from '../../../stores/live/camera-dialog.ts'
import { watchSettings, loadCameraFilter } from '../../../stores/live/camera-filter.ts'
import { watchTiles } from '../../../stores/live/connection-log.ts'
import { $said } from '../../../stores/live/screen-reader-announcement.ts'
import { loadOnboarding } from '../../../stores/account/search-enrollment.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { watchTileDrags } from './drag-tiles.ts'
import { watchShortcuts } from './page-shortcuts.ts'
import { fetchDialogs, loadDialogs } from './load-dialogs.ts'

let loaded: ComponentType<{ open: LiveDialogState }> | null = null

/** Behavior of the page without visible elements (keys, dragging, URL, camera filter, search), and the open dialog. */
export function PageBehaviors() {
  const open = useStore($openDialog)
  const announcement = useStore($said)
  useEffect(watchShortcuts, [])
  useEffect(watchTileDrags, [])
  useEffect(syncOpenCameraWithUrl, [])
  useEffect(watchTiles, [])
  useEffect(syncFilter, [])
  useEffect(fetchDialogs, [])
  useEffect(openAsked, [])
  useEffect(() => void loadOnboarding(), [])
  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {open && <LaterDialogs open={open} />}
    </>
  )
}

/** Opens the add-camera view for `/live?add`, and removes the parameter from the URL. */
function openAsked(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('add')) return
  address.searchParams.delete('add')
  history.replaceState(history.state, '', address)
  $openDialog.set({ kind: 'add' })
}

/** The open dialog. Loads the dialogs' script and styles first if they are missing. */
function LaterDialogs({ open }: { open: LiveDialogState }) {
  const [Dialogs, show] = useState(() => loaded)
  useEffect(() => {
    if (Dialogs) return
    loadDialogs().then(
      (dialogs) => {
        loaded = dialogs
        show(() => loaded)
      },
      () => {
        closeDialog()
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
  const stop = watchSettings(load)
  return () => {
    document.removeEventListener('visibilitychange', load)
    stop()
  }
}
