import { useStore } from '@nanostores/react'
import Bookmark from 'lucide-react/icons/bookmark'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Grid2x2 from 'lucide-react/icons/grid-2x2'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LayoutPanelLeft from 'lucide-react/icons/layout-panel-left'
import Keyboard from 'lucide-react/icons/keyboard'
import MonitorPlay from 'lucide-react/icons/monitor-play'
import RectangleHorizontal from 'lucide-react/icons/rectangle-horizontal'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Square from 'lucide-react/icons/square'
import { type MouseEvent, useEffect } from 'react'
import { openSearch } from '../../../stores/events/event-url.ts'
import { $openDialog } from '../../../stores/live/camera-dialog.ts'
import { $singleCameraId, $layout, setLayoutMode, type LiveLayout } from '../../../stores/live/live-layout.ts'
import {
  $liveCameras,
  $liveFilter,
  $listedCameras,
  $liveCount,
  $camerasNeedingHelp,
  $gridCameras,
} from '../../../stores/live/live-page.ts'
import { $devices } from '../../../stores/home/devices.ts'
import { syncWallModeWithUrl, openWallMode } from '../../../stores/live/wall-mode.ts'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { todayLabel } from '../../../domain/time/relative-time.ts'
import { useClockTick } from './use-now.ts'
import { LazyButton } from '../../../ui/LazyButton.tsx'
import { AddCameraButton } from './AddCameraButton.tsx'
import { getEmptyCameraList } from './empty-camera-list.ts'
import { LazyDialogs } from './lazy-views.ts'
import { LazyWall } from './lazy-wall.ts'
import { ToolbarSkeleton } from './ToolbarSkeleton.tsx'

const LAYOUT_CHOICES: readonly { layout: LiveLayout; label: string; what: string; Icon: typeof Grid2x2 }[] = [
  { layout: 'automatic', label: 'Automatic', what: 'best fit', Icon: LayoutDashboard },
  { layout: 'focus', label: 'Focus', what: 'one large, the rest small', Icon: LayoutPanelLeft },
  { layout: 'grid', label: 'Grid', what: 'all the same size', Icon: Grid2x2 },
  { layout: 'one', label: 'One', what: 'one camera', Icon: Square },
]

/**
 * Toolbar of the page. Most buttons need a camera: they are bars while the cameras load, and absent if there are none
 * or their list did not load.
 */
export function Toolbar() {
  const devices = useStore($devices, { ssr: 'initial' })
  useEffect(syncWallModeWithUrl, [])
  if (devices.state === 'loading') return <ToolbarSkeleton />
  const hasCameras = 'devices' in devices && devices.devices.length > 0
  return (
    <div className="live-toolbar">
      <div className="live-heading">
        <h1>Cameras</h1>
        <LiveCount isLoaded={'devices' in devices} />
      </div>
      {hasCameras && <SearchEntry />}
      <CameraFilterButtons />
      <AddCameraButton />
      {hasCameras && <LayoutButtons />}
    </div>
  )
}

/** Layout switch, saved layouts, wall display and shortcuts. */
function LayoutButtons() {
  return (
    <>
      <LayoutSwitch />
      <LazyButton
        className="icon-btn live-wide-only"
        aria-haspopup="dialog"
        aria-label="Saved layouts"
        title="Saved layouts"
        load={LazyDialogs.preload}
        onReady={() => $openDialog.set({ kind: 'layouts' })}
      >
        <Bookmark size={20} aria-hidden="true" />
      </LazyButton>
      <LazyButton
        className="icon-btn live-wide-only"
        aria-label="Wall display"
        title="Wall display"
        load={LazyWall.preload}
        onReady={openWallMode}
      >
        <MonitorPlay size={20} aria-hidden="true" />
      </LazyButton>
      <LazyButton
        className="icon-btn live-wide-only"
        aria-haspopup="dialog"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        load={LazyDialogs.preload}
        onReady={() => $openDialog.set({ kind: 'keys' })}
      >
        <Keyboard size={20} aria-hidden="true" />
      </LazyButton>
    </>
  )
}

/** Search entry. It is a link, so that it works before the search script has loaded. */
function SearchEntry() {
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return
    click.preventDefault()
    openSearch()
  }
  return (
    <a href="/live?search=" className="chip search-entry live-search" title="Search (/)" onClick={open}>
      <span>Describe what happened</span>
    </a>
  )
}

function LiveCount({ isLoaded }: { isLoaded: boolean }) {
  const totalCount = useStore($liveCameras, { ssr: getEmptyCameraList }).length
  const live = useStore($liveCount, { ssr: () => 0 })
  const now = useClockTick(60_000)
  if (now === null || !isLoaded) return <p className="live-count">&nbsp;</p>
  return (
    <p className="live-count">
      {totalCount ? `${live} of ${totalCount} live` : 'None yet'} ·{' '}
      <span className="live-day">{todayLabel(now)}, </span>
      <time>{formatClock(now)}</time>
    </p>
  )
}

function CameraFilterButtons() {
  const totalCount = useStore($liveCameras, { ssr: getEmptyCameraList }).length
  const listedCount = useStore($listedCameras, { ssr: getEmptyCameraList }).length
  const needHelpCount = useStore($camerasNeedingHelp, { ssr: getEmptyCameraList }).length
  const filter = useStore($liveFilter, { ssr: 'initial' })
  if (totalCount < 2) return totalCount === 0 && <div className="live-filters" />
  return (
    <div className="live-filters" role="group" aria-label="Cameras to show">
      <button type="button" className="chip" aria-pressed={filter === 'all'} onClick={() => $liveFilter.set('all')}>
        {listedCount < totalCount ? 'Selected' : 'All'} <span className="live-chip-count">{listedCount}</span>
      </button>
      {(needHelpCount > 0 || filter === 'help') && (
        <button type="button" className="chip" aria-pressed={filter === 'help'} onClick={() => $liveFilter.set('help')}>
          <CircleAlert size={16} className="live-chip-icon" aria-hidden="true" />
          <span className="live-chip-word">Needs attention</span>{' '}
          <span className="live-chip-count">{needHelpCount}</span>
        </button>
      )}
      <LazyButton
        className="chip live-choose"
        aria-haspopup="dialog"
        aria-label="Filter cameras"
        data-on={listedCount < totalCount}
        load={LazyDialogs.preload}
        onReady={() => $openDialog.set({ kind: 'filter' })}
      >
        <SlidersHorizontal size={16} aria-hidden="true" />
        <span>Filter cameras</span>
      </LazyButton>
    </div>
  )
}

function LayoutSwitch() {
  const current = useStore($layout, { ssr: () => 'automatic' as const })
  return (
    <div className="seg live-switch" role="group" aria-label="Layout">
      {LAYOUT_CHOICES.map(({ layout, label, what: description, Icon }) => (
        <button
          key={layout}
          type="button"
          data-layout={layout}
          aria-pressed={layout === current}
          aria-label={label}
          title={`${label}: ${description}`}
          onClick={() => chooseLayout(layout)}
        >
          <Icon size={18} className={layout === 'automatic' ? 'live-wide' : ''} aria-hidden="true" />
          {layout === 'automatic' && <RectangleHorizontal size={18} className="live-narrow" aria-hidden="true" />}
        </button>
      ))}
    </div>
  )
}

function chooseLayout(layout: LiveLayout): void {
  if (layout !== 'one') setLayoutMode(layout)
  else if (!$singleCameraId.get()) $singleCameraId.set($gridCameras.get()[0]?.device_id ?? '')
}
