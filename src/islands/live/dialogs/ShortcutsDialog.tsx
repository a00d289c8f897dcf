import { closeDialog } from '../../../stores/live/camera-dialog.ts'
import { Dialog } from '../../../ui/Dialog.tsx'

type Keys = readonly (readonly [keys: readonly string[], what: string])[]

const EVERYWHERE: Keys = [
  [['1', '…', '9'], 'Open that camera'],
  [['f'], 'Full screen'],
  [['m'], 'Sound on or off'],
  [['/'], 'Search your video'],
  [['?'], 'Open this list'],
]
const ALL: Keys = [
  [['←', '→', '↑', '↓'], 'Go to the next camera'],
  [['Enter'], 'Open the chosen camera'],
  [['Shift', '← →'], 'Move the chosen camera to another place'],
]
const ONE: Keys = [
  [['←', '→'], 'Previous and next camera'],
  [['+', '−', '0'], 'Larger, smaller, the whole picture'],
  [['Shift', '← → ↑ ↓'], 'Move the larger picture'],
  [['s'], 'Save a snapshot'],
  [['p'], 'Picture in picture'],
  [['Esc'], 'Back to all cameras'],
]

export function KeysDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeDialog}>
      <KeyList keys={EVERYWHERE} />
      <h3 className="key-part">All cameras</h3>
      <KeyList keys={ALL} />
      <h3 className="key-part">One camera</h3>
      <KeyList keys={ONE} />
    </Dialog>
  )
}

function KeyList({ keys }: { keys: Keys }) {
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
