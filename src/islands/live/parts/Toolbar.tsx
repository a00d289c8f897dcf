import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Grid2x2 from 'lucide-react/icons/grid-2x2'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import LayoutPanelLeft from 'lucide-react/icons/layout-panel-left'
import Keyboard from 'lucide-react/icons/keyboard'
import RectangleHorizontal from 'lucide-react/icons/rectangle-horizontal'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Square from 'lucide-react/icons/square'
import { $openDialog } from '../../../stores/live/camera-dialog.ts'
import { $layout, setLayout, type Layout } from '../../../stores/live/live-layout.ts'
import { $cameras, $filter, $listed, $liveCount, $needHelp } from '../../../stores/live/live-page.ts'
import { $hasNoCamera } from '../../../stores/home/no-camera.ts'
import { clock, todayWords } from '../../../domain/clock.ts'
import { useNow } from './use-now.ts'
import { noCameras } from './no-cameras.ts'

const CHOICES: readonly { layout: Layout; label: string; Icon: typeof Grid2x2 }[] = [
  { layout: 'focus', label: 'One large, others beside it', Icon: LayoutPanelLeft },
  { layout: 'four', label: 'Two by two', Icon: Grid2x2 },
  { layout: 'nine', label: 'Three by three', Icon: Grid3x3 },
  { layout: 'one', label: 'One camera', Icon: Square },
]

/** A home without cameras has nothing to lay out, to filter or to steer by keys. */
export function Toolbar() {
  const isEmpty = useStore($hasNoCamera, { ssr: 'initial' })
  return (
    <div className="live-toolbar">
      <div className="live-heading">
        <h1>Cameras</h1>
        <Count />
      </div>
      <Filters />
      {!isEmpty && (
        <>
          <LayoutSwitch />
          <button
            type="button"
            className="icon-btn live-keys"
            aria-haspopup="dialog"
            title="Shortcuts (?)"
            onClick={() => $openDialog.set({ kind: 'keys' })}
          >
            <Keyboard size={20} aria-hidden="true" />
          </button>
        </>
      )}
    </div>
  )
}

function Count() {
  const total = useStore($cameras, { ssr: noCameras }).length
  const live = useStore($liveCount, { ssr: () => 0 })
  const now = useNow(60_000)
  if (now === null || total === 0) return <p className="live-count">&nbsp;</p>
  return (
    <p className="live-count">
      {live} of {total} live · <span className="live-day">{todayWords(now)}, </span>
      <time>{clock(now)}</time>
    </p>
  )
}

function Filters() {
  const total = useStore($cameras, { ssr: noCameras }).length
  const listed = useStore($listed, { ssr: noCameras }).length
  const helpless = useStore($needHelp, { ssr: noCameras }).length
  const filter = useStore($filter, { ssr: 'initial' })
  if (total < 2) return total === 0 && <div className="live-filters" />
  return (
    <div className="live-filters" role="group" aria-label="Which cameras">
      <button type="button" className="chip" aria-pressed={filter === 'all'} onClick={() => $filter.set('all')}>
        {listed < total ? 'Chosen' : 'All'} <span className="live-chip-count">{listed}</span>
      </button>
      {(helpless > 0 || filter === 'help') && (
        <button type="button" className="chip" aria-pressed={filter === 'help'} onClick={() => $filter.set('help')}>
          <CircleAlert size={16} className="live-chip-icon" aria-hidden="true" />
          <span className="live-chip-word">Needs help</span> <span className="live-chip-count">{helpless}</span>
        </button>
      )}
      <button
        type="button"
        className="chip live-choose"
        aria-haspopup="dialog"
        aria-label="Filter cameras"
        data-on={listed < total}
        onClick={() => $openDialog.set({ kind: 'filter' })}
      >
        <SlidersHorizontal size={16} aria-hidden="true" />
        <span>Filter cameras</span>
      </button>
    </div>
  )
}

function LayoutSwitch() {
  const current = useStore($layout, { ssr: () => 'focus' as const })
  return (
    <div className="seg live-switch" role="group" aria-label="Layout">
      {CHOICES.map(({ layout, label, Icon }) => (
        <button
          key={layout}
          type="button"
          data-layout={layout}
          aria-pressed={layout === current}
          aria-label={label}
          title={label}
          onClick={() => setLayout(layout)}
        >
          <Icon size={18} className={layout === 'focus' ? 'live-wide' : ''} aria-hidden="true" />
          {layout === 'focus' && <RectangleHorizontal size={18} className="live-narrow" aria-hidden="true" />}
        </button>
      ))}
    </div>
  )
}
