import { closeLiveDialog } from '../../../stores/live/camera-dialog.ts'
import { Dialog } from '../../../ui/Dialog.tsx'

type Shortcuts = readonly (readonly [keys: readonly string[], what: string])[]

const PAGE_SHORTCUTS: Shortcuts = [
  [['1', '…', '9'], 'Open camera by number'],
  [['f'], 'Full screen'],
  [['m'], 'Mute or unmute'],
  [['/'], 'Search your clips'],
  [['?'], 'Show keyboard shortcuts'],
]
const GRID_SHORTCUTS: Shortcuts = [
  [['←', '→', '↑', '↓'], 'Move between cameras'],
  [['Enter'], 'Open the selected camera'],
  [['Shift', '← →'], 'Move the selected camera'],
]
const CAMERA_SHORTCUTS: Shortcuts = [
  [['←', '→'], 'Previous and next camera'],
  [['+', '−', '0'], 'Zoom in, zoom out, reset zoom'],
  [['Shift', '← → ↑ ↓'], 'Pan while zoomed in'],
  [['s'], 'Save a snapshot'],
  [['p'], 'Picture in picture'],
  [['Esc'], 'Back to all cameras'],
]

export function ShortcutsDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeLiveDialog}>
      <ShortcutList keys={PAGE_SHORTCUTS} />
      <h3 className="key-part">All cameras</h3>
      <ShortcutList keys={GRID_SHORTCUTS} />
      <h3 className="key-part">One camera</h3>
      <ShortcutList keys={CAMERA_SHORTCUTS} />
    </Dialog>
  )
}

function ShortcutList({ keys }: { keys: Shortcuts }) {
  return (
    <dl className="key-list">
      {keys.map(([keys, description]) => (
        <div key={description}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  )
}
