import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { closeMissingCamera } from '../../../stores/live/missing-camera.ts'
import { $openDialog, openCameraDialog } from '../../../stores/live/camera-dialog.ts'
import { watchAccountSettings, loadCameraFilter } from '../../../stores/live/camera-filter.ts'
import { logTileChanges } from '../../../stores/live/connection-log.ts'
import { CAMERA_PARAM } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { $announcement } from '../../../stores/live/screen-reader-announcement.ts'
import { loadEnrollment } from '../../../stores/account/search-enrollment.ts'
import { watchTileDrags } from './drag-tiles.ts'
import { watchShortcuts } from './page-shortcuts.ts'
import { LazyDialogs, prefetchViews } from './lazy-views.ts'

const DIALOG_FALLBACK = (
  <p className="pill live-dialog-wait" role="status">
    <i className="spinner" aria-hidden="true" />
    Loading…
  </p>
)

/** Page behavior without visible elements (shortcuts, dragging, camera filter, search), and the open dialog. */
export function PageBehaviors() {
  const open = useStore($openDialog)
  const announcement = useStore($announcement)
  useEffect(watchShortcuts, [])
  useEffect(watchTileDrags, [])
  useEffect(closeMissingCamera, [])
  useEffect(logTileChanges, [])
  useEffect(syncFilter, [])
  useEffect(prefetchViews, [])
  useEffect(openAddCameraFromUrl, [])
  useEffect(openSettingsFromUrl, [])
  useEffect(() => void loadEnrollment(), [])
  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {open && <LazyDialogs props={{ open }} fallback={DIALOG_FALLBACK} />}
    </>
  )
}

function openAddCameraFromUrl(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('add')) return
  url.searchParams.delete('add')
  history.replaceState(history.state, '', url)
  $openDialog.set({ kind: 'add' })
}

/** Opens the settings of the camera in the URL, once the cameras are loaded: `/live?camera=ID&settings`. */
function openSettingsFromUrl(): (() => void) | undefined {
  const url = new URL(location.href)
  const deviceId = url.searchParams.get(CAMERA_PARAM)
  if (!deviceId || !url.searchParams.has('settings')) return undefined
  url.searchParams.delete('settings')
  history.replaceState(history.state, '', url)
  let isOpened = false
  return $liveCameras.subscribe((cameras) => {
    if (isOpened || !cameras.some(({ device_id }) => device_id === deviceId)) return
    isOpened = true
    openCameraDialog(deviceId, 'settings')
  })
}

/**
 * Loads the camera filter, and loads it again when the page becomes visible, or when the feed connects or reports
 * changed settings, because another browser may have changed the filter. A hidden page does not load the filter.
 */
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
