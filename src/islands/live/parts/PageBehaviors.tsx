import { useStore } from '@nanostores/react'
import { useEffect, useState, type ComponentType } from 'react'
import { syncOpenCameraWithUrl } from '../../../stores/live/open-camera-url.ts'
import { $openDialog, closeDialog, type OpenDialog } from '../../../stores/live/camera-dialog.ts'
import { watchSettings, loadCameraFilter } from '../../../stores/live/camera-filter.ts'
import { watchTiles } from '../../../stores/live/connection-log.ts'
import { $said } from '../../../stores/live/screen-reader-announcement.ts'
import { loadOnboarding } from '../../../stores/account/search-enrollment.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { watchTileDrags } from './drag-tiles.ts'
import { watchShortcuts } from './page-shortcuts.ts'
import { fetchDialogs, loadDialogs } from './load-dialogs.ts'

let loaded: ComponentType<{ open: OpenDialog }> | null = null

/** What works without being seen: keys, dragging, the address, the account's choice of cameras, whether it searches; and the open dialog. */
export function Extras() {
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

/** `/live?add` leads to where cameras are added; the address then is that of the page again. */
function openAsked(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('add')) return
  address.searchParams.delete('add')
  history.replaceState(history.state, '', address)
  $openDialog.set({ kind: 'add' })
}

/** The dialogs, whose script and styles may not have come yet. */
function LaterDialogs({ open }: { open: OpenDialog }) {
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

/** The choice of another browser is taken over at once, or when somebody comes back to this one. */
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
